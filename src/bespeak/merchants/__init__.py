"""The merchant of a workspace: who sells, how the shop looks, and what buyers are told of it."""
