/** Ids of the processes whose environment or arguments name the folder, but for this one. */
export function processesOf(folder: string): number[]

/** Asks them to end, and kills those that are still there after so many milliseconds. */
export function endProcessesOf(folder: string, patience?: number): void
