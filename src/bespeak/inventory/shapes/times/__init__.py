"""Times: appointments by weekly rules."""
