package generate

import (
	"fmt"
	"strconv"
	"strings"
)

// decimals gives a regular expression for the decimal numbers from low to high.
func decimals(low, high int) string {
	alternatives := decimalRanges(low, high)
	if len(alternatives) == 1 {
		return alternatives[0]
	}
	return "(" + strings.Join(alternatives, "|") + ")"
}

// decimalRanges cuts the range where the number of tens begins or ends in the middle.
func decimalRanges(low, high int) []string {
	if low/10 == high/10 {
		return []string{tens(low) + digits(low%10, high%10)}
	}
	var before, after []string
	if low%10 != 0 || low == 0 {
		before = []string{tens(low) + digits(low%10, 9)}
		low = low - low%10 + 10
	}
	if high%10 != 9 {
		after = []string{tens(high) + digits(0, high%10)}
		high = high - high%10 - 1
	}
	if low < high {
		for _, whole := range decimalRanges(low/10, high/10) {
			before = append(before, whole+digits(0, 9))
		}
	}
	return append(before, after...)
}

// tens gives the digits of a number but the last.
func tens(number int) string {
	if number < 10 {
		return ""
	}
	return strconv.Itoa(number / 10)
}

// digits gives a regular expression for one decimal digit.
func digits(low, high int) string {
	switch {
	case low == high:
		return strconv.Itoa(low)
	case low+1 == high:
		return fmt.Sprintf("[%d%d]", low, high)
	default:
		return fmt.Sprintf("[%d-%d]", low, high)
	}
}

// hexadecimals gives a regular expression for the hexadecimal numbers from low to high, without leading zeros. The range is
// that of a prefix: the numbers differ in all of their last bits.
func hexadecimals(low, high int) string {
	first, last := strconv.FormatInt(int64(low), 16), strconv.FormatInt(int64(high), 16)
	anyDigit := hexDigits('0', 'f')
	if low == 0 && len(last) > 1 {
		// Numbers of fewer digits are in the range, too.
		return hexDigits('1', last[0]) + "?" + strings.Repeat(anyDigit+"?", len(last)-2) + anyDigit
	}
	var b strings.Builder
	for i := range first {
		b.WriteString(hexDigits(first[i], last[i]))
	}
	return b.String()
}

// hexDigits gives a regular expression for one hexadecimal digit.
func hexDigits(low, high byte) string {
	const all = "0123456789abcdef"
	class := all[strings.IndexByte(all, low) : strings.IndexByte(all, high)+1]
	switch class {
	case all:
		return "[0-9a-f]"
	case all[1:]:
		return "[1-9a-f]"
	case string(low):
		return class
	default:
		return "[" + class + "]"
	}
}
