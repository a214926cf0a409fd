package render_test

// machine is the format of a VirtualMachineInstance as "oc get -o yaml" prints it: number, namespace, two bytes of the addresses,
// and the number once more.
const machine = `---
apiVersion: kubevirt.io/v1
kind: VirtualMachineInstance
metadata:
  annotations:
    kubevirt.io/cluster-instancetype-name: u1.medium
    kubevirt.io/latest-observed-api-version: v1
    kubevirt.io/storage-observed-api-version: v1
    vm.kubevirt.io/os: linux
    vm.redhat-cop.dns-name/corp: vm%[1]d.ns%[2]d.example.com
  creationTimestamp: "2026-01-10T09:00:00Z"
  finalizers:
  - kubevirt.io/virtualMachineControllerFinalize
  - foregroundDeleteVirtualMachine
  generation: 12
  labels:
    kubevirt.io/nodeName: worker-%[2]d
    kubevirt.io/vm: vm%[1]d
    vm.redhat-cop.dns-name: "true"
  name: vm%[1]d
  namespace: ns%[2]d
  ownerReferences:
  - apiVersion: kubevirt.io/v1
    blockOwnerDeletion: true
    controller: true
    kind: VirtualMachine
    name: vm%[1]d
    uid: 0f5b0f3e-0000-4000-8000-%012[1]d
  resourceVersion: "%[1]d"
  uid: 1f5b0f3e-0000-4000-8000-%012[1]d
spec:
  architecture: amd64
  cpu:
    cores: 1
    maxSockets: 4
    model: host-model
    sockets: 1
    threads: 1
  domain:
    devices:
      autoattachPodInterface: false
      disks:
      - disk:
          bus: virtio
        name: rootdisk
      - disk:
          bus: virtio
        name: cloudinitdisk
      interfaces:
      - macAddress: 02:3b:5b:00:00:%02[4]x
        masquerade: {}
        model: virtio
        name: default
      - bridge: {}
        macAddress: 02:3b:5c:00:00:%02[4]x
        model: virtio
        name: corp
      rng: {}
    features:
      acpi:
        enabled: true
      smm:
        enabled: true
    firmware:
      bootloader:
        efi: {}
      uuid: 3f5b0f3e-0000-4000-8000-%012[1]d
    machine:
      type: pc-q35-rhel9.4.0
    memory:
      guest: 4Gi
      maxGuest: 16Gi
    resources:
      requests:
        memory: 4Gi
  evictionStrategy: LiveMigrate
  networks:
  - name: default
    pod: {}
  - multus:
      networkName: default/vlan-10
    name: corp
  terminationGracePeriodSeconds: 180
  volumes:
  - dataVolume:
      name: vm%[1]d-rootdisk
    name: rootdisk
  - cloudInitNoCloud:
      userData: |
        #cloud-config
        user: fedora
        password: not-a-secret
        chpasswd: { expire: False }
    name: cloudinitdisk
status:
  activePods:
    7f5b0f3e-0000-4000-8000-%012[1]d: worker-%[2]d
  conditions:
  - lastProbeTime: null
    lastTransitionTime: "2026-01-10T09:00:00Z"
    status: "True"
    type: Ready
  - lastProbeTime: null
    lastTransitionTime: null
    status: "True"
    type: LiveMigratable
  - lastProbeTime: "2026-01-10T09:01:00Z"
    lastTransitionTime: null
    status: "True"
    type: AgentConnected
  guestOSInfo:
    id: fedora
    kernelRelease: 6.6.8-200.fc39.x86_64
    name: Fedora Linux
    prettyName: Fedora Linux 39 (Cloud Edition)
    version: "39"
  interfaces:
  - infoSource: domain, guest-agent
    interfaceName: eth0
    ipAddress: 10.128.%[3]d.%[4]d
    ipAddresses:
    - 10.128.%[3]d.%[4]d
    mac: 02:3b:5b:00:00:%02[4]x
    name: default
    queueCount: 1
  - infoSource: domain, guest-agent, multus-status
    interfaceName: eth1
    ipAddress: 192.168.%[3]d.%[4]d
    ipAddresses:
    - 192.168.%[3]d.%[4]d
    - 2001:db8:10::%[5]x
    - fe80::3b:5cff:fe00:%[5]x
    mac: 02:3b:5c:00:00:%02[4]x
    name: corp
    queueCount: 1
  launcherContainerImageVersion: registry.example.com/kubevirt/virt-launcher@sha256:%064[1]d
  migrationMethod: BlockMigration
  migrationTransport: Unix
  nodeName: worker-%[2]d
  phase: Running
  phaseTransitionTimestamps:
  - phase: Pending
    phaseTransitionTimestamp: "2026-01-10T09:00:00Z"
  - phase: Running
    phaseTransitionTimestamp: "2026-01-10T09:00:12Z"
  qosClass: Burstable
  runtimeUser: 107
  selinuxContext: system_u:system_r:container_t:s0:c700,c900
  virtualMachineRevisionName: revision-start-vm-4f5b0f3e-0000-4000-8000-%012[1]d-1
  volumeStatus:
  - name: cloudinitdisk
    size: 1048576
    target: vdb
  - name: rootdisk
    persistentVolumeClaimInfo:
      accessModes:
      - ReadWriteMany
      capacity:
        storage: 30Gi
      filesystemOverhead: "0"
      requests:
        storage: 30Gi
      volumeMode: Block
    target: vda
`
