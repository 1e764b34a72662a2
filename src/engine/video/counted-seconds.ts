/** Frames that count as a second, and how many more a camera writes now and then. */
const usual = { frameRate: 30, slack: 1 }

/**
 * Seconds for which a video of so many frames counts: its duration, and where more than thirty
 * frames lie in a second, one for each thirty of them. That much work they are, whatever clock they
 * go by.
 */
export function countedSeconds(seconds: number, frames: number): number {
  return frames <= (usual.frameRate + usual.slack) * seconds ? seconds : frames / usual.frameRate
}
