"""Long work in processes of their own: a queue per device, progress, stopping, going on."""
