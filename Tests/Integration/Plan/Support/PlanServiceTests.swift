import Testing

/// Everything about the running plan service; one stack at a time, because each has connections and threads of its own.
@Suite(.serialized) enum PlanServiceTests {}
