"""The validator: replays every action of a match, and checks it against the rules."""
