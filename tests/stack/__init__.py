"""The distributed system as processes of this machine: Kafka, PostgreSQL, nginx and the services (`make stack`)."""
