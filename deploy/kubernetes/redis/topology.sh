# One Redis by itself needs nothing more.
