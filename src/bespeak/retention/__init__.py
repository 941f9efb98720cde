"""What is deleted when its time is over, and the archive that it goes to before."""
