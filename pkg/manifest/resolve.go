package manifest

import (
	"math"
	"strconv"
	"strings"
)

// resolvePlain gives the value of a plain (unquoted) YAML scalar other than a string. It returns isString for a string,
// and ok false for a number that JSON cannot hold (infinity and NaN).
func resolvePlain(s string) (value any, isString, ok bool) {
	if s == "" {
		return nil, false, true
	}
	switch c := s[0]; {
	case c >= '0' && c <= '9', c == '+', c == '-', c == '.':
		return resolveNumber(s)
	case len(s) <= len("false") && strings.IndexByte("yYnNtTfFoO~", c) >= 0:
		value, isString = resolveWord(s)
		return value, isString, true
	}
	return nil, true, true
}

// resolveWord knows the words of YAML 1.1 that are not strings.
func resolveWord(s string) (value any, isString bool) {
	switch s {
	case "y", "Y", "yes", "Yes", "YES", "true", "True", "TRUE", "on", "On", "ON":
		return true, false
	case "n", "N", "no", "No", "NO", "false", "False", "FALSE", "off", "Off", "OFF":
		return false, false
	case "~", "null", "Null", "NULL":
		return nil, false
	}
	return nil, true
}

// resolveNumber reads what begins like a number.
func resolveNumber(s string) (value any, isString, ok bool) {
	switch strings.TrimLeft(s, "+-") {
	case ".inf", ".Inf", ".INF", ".nan", ".NaN", ".NAN":
		return nil, false, false
	}
	if !mayBeNumber(s) {
		return nil, true, true
	}
	if s[0] == '.' {
		if f, err := strconv.ParseFloat(s, 64); err == nil {
			return normalFloat(f)
		}
		return nil, true, true
	}
	digits := strings.ReplaceAll(s, "_", "")
	if i, err := strconv.ParseInt(digits, 0, 64); err == nil {
		return i, false, true
	}
	if u, err := strconv.ParseUint(digits, 0, 64); err == nil {
		return float64(u), false, true
	}
	if isDecimalFloat(digits) {
		if f, err := strconv.ParseFloat(digits, 64); err == nil {
			return normalFloat(f)
		}
	}
	return resolveBinary(digits)
}

// resolveBinary reads the binary numbers that strconv does not know, such as those with a sign after the prefix.
func resolveBinary(digits string) (value any, isString, ok bool) {
	sign := ""
	if strings.HasPrefix(digits, "-0b") {
		sign, digits = "-", digits[1:]
	}
	rest, found := strings.CutPrefix(digits, "0b")
	if !found {
		return nil, true, true
	}
	if i, err := strconv.ParseInt(sign+rest, 2, 64); err == nil {
		return i, false, true
	}
	return nil, true, true
}

// mayBeNumber rejects quickly what only begins like a number: addresses, times, UUIDs and sizes.
func mayBeNumber(s string) bool {
	dots := 0
	for i := range len(s) {
		switch c := s[i]; {
		case c >= '0' && c <= '9', c >= 'a' && c <= 'f', c >= 'A' && c <= 'F', c == '_', c == 'x', c == 'X', c == 'o', c == 'O':
		case c == '.':
			if dots++; dots > 1 {
				return false
			}
		case c == '+', c == '-':
			if i > 0 && strings.IndexByte("eEbB_", s[i-1]) < 0 {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// isDecimalFloat tells whether s is [-+]?(.d+ | d+[.d*])([eE][-+]?d+)?, the floats that YAML knows.
func isDecimalFloat(s string) bool {
	s = trimSign(s)
	whole := trimDigits(s)
	rest, fraction := whole, 0
	if strings.HasPrefix(whole, ".") {
		rest = trimDigits(whole[1:])
		fraction = len(whole) - 1 - len(rest)
	}
	if len(whole) == len(s) && fraction == 0 {
		return false
	}
	if rest == "" {
		return true
	}
	if rest[0] != 'e' && rest[0] != 'E' {
		return false
	}
	exponent := trimSign(rest[1:])
	return exponent != "" && trimDigits(exponent) == ""
}

func trimSign(s string) string {
	if s != "" && (s[0] == '+' || s[0] == '-') {
		return s[1:]
	}
	return s
}

func trimDigits(s string) string { return strings.TrimLeft(s, "0123456789") }

// normalFloat gives a float the type that it has after its way through JSON, on which 1.0 is written as 1.
func normalFloat(f float64) (value any, isString, ok bool) {
	if math.IsInf(f, 0) || math.IsNaN(f) {
		return nil, false, false
	}
	if f == math.Trunc(f) && math.Abs(f) < 1e19 {
		if i, err := strconv.ParseInt(strconv.FormatFloat(f, 'f', -1, 64), 10, 64); err == nil {
			return i, false, true
		}
	}
	return f, false, true
}
