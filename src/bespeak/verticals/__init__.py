"""What the engine is used for: each vertical is a folder that knows its business."""
