"""File formats: a header in JSON and named arrays; what they mean is the caller's business."""
