package v1alpha1

import "encoding/json"

// UnmarshalJSON takes the domain alone, as a string, or the map.
func (a *AllowedDomain) UnmarshalJSON(data []byte) error {
	if len(data) > 0 && data[0] == '"' {
		*a = AllowedDomain{}
		return json.Unmarshal(data, &a.Domain)
	}
	type plain AllowedDomain
	return json.Unmarshal(data, (*plain)(a))
}
