import type { EventName } from '../types.ts'

export type Positions = Partial<Record<EventName, number>>

/** Event id, such as `generation:17,order:4`. */
export function formatPositions(positions: Positions): string {
  return Object.entries(positions)
    .map(([name, position]) => `${name}:${position}`)
    .join(',')
}

/** Empty for an invalid Last-Event-ID. */
export function parsePositions(text: string | undefined): Positions {
  if (!text || !/^[a-z]{1,40}:\d{1,15}(,[a-z]{1,40}:\d{1,15}){0,20}$/.test(text)) return {}
  return Object.fromEntries(
    text.split(',').map((part) => {
      const [name, position] = part.split(':')
      return [name, Number(position)]
    }),
  )
}
