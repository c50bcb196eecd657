import StrideFaults

await FaultCommand.run(CommandLine.arguments.dropFirst())
