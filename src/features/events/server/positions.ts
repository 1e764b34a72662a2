import type { EventName } from '../types.ts'

/** Last received position of each kind of event. */
export type Positions = Partial<Record<EventName, number>>

/** Event id, such as `generation:17,order:4`. */
export function formatPositions(positions: Positions): string {
  return Object.entries(positions)
    .map(([name, position]) => `${name}:${position}`)
    .join(',')
}

/** Parses a Last-Event-ID; empty when it is not one of ours. */
export function parsePositions(text: string | undefined): Positions {
  if (!text || !/^[a-z]{1,40}:\d{1,15}(,[a-z]{1,40}:\d{1,15}){0,20}$/.test(text)) return {}
  return Object.fromEntries(
    text.split(',').map((part) => {
      const [name, position] = part.split(':')
      return [name, Number(position)]
    }),
  )
}
