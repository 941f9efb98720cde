"""The shapes of inventory, a folder each: seats, nights, times, tickets, pools, legs, moments."""
