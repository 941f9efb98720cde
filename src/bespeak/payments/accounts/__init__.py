"""The accounts with the payment provider that are set at the console."""
