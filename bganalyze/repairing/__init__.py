"""Repairing records: from what contradicts itself back to the slip, and to the edit that repairs it."""
