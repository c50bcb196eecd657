import Testing

@Suite struct PlaceTests {}
