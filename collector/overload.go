package collector

// Overload says of an instant whether more was asked for than could be done, as a
// simulation knows it of itself: it is what a rule should have warned of, known
// and not guessed from the signals that rules look at. The zero value says that
// nobody knows, as of everything that was read from a server.
type Overload uint8

// The degrees of Overload.
const (
	OverloadUnknown Overload = iota
	NotOverloaded
	Overloaded
)

// OverloadOf is Overloaded or NotOverloaded.
func OverloadOf(yes bool) Overload {
	if yes {
		return Overloaded
	}
	return NotOverloaded
}

// Known reports whether anybody knows.
func (o Overload) Known() bool { return o != OverloadUnknown }
