"""The validator: it replays each move, and tells what the rules say of it."""
