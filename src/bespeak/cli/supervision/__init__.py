"""Running a server's processes: who keeps them alive, who leads, how they end."""
