/** Processes whose environment or arguments name the folder. */
export function processesOf(folder: string): number[]

export function endProcessesOf(folder: string, patience?: number): void
