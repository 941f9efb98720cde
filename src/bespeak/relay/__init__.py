"""The relay: a durable follower of the feed that sends every event to a broker, Kafka or NATS."""
