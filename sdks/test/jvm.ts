/** Flags for Java programs that end soon: optimizing them takes more processor time than it saves. */
export const shortJvm = ['-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC']

/** The same as variables, for programs that start Java themselves. */
export const shortJvmEnv = { JAVA_TOOL_OPTIONS: shortJvm.join(' ') }
