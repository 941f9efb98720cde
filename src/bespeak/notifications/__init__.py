"""Notifications: webhooks to programs and mails to buyers. Both follow the feed, so that none is
lost and none is sent for what did not happen.
"""
