module github.com/policyloom/policyloom/test/engines/externaldns

go 1.26
