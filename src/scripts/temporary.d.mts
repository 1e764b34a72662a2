export function makeTemporaryFolder(): string
