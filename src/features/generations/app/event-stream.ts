/** One event of a text/event-stream (HTML Living Standard §9.2.6). */
export interface StreamEvent {
  event: string
  data: string
  /** The last id seen up to and including this event, or null. */
  id: string | null
}

/** Cuts a stream of text into events, however the network split it. */
export function createEventParser(onEvent: (event: StreamEvent) => void): (chunk: string) => void {
  let rest = ''
  let id: string | null = null
  let event = ''
  let data: string[] = []

  function line(text: string) {
    if (text === '') {
      if (data.length > 0) onEvent({ event: event || 'message', data: data.join('\n'), id })
      event = ''
      data = []
      return
    }
    const colon = text.indexOf(':')
    if (colon === 0) return
    const field = colon < 0 ? text : text.slice(0, colon)
    const value = colon < 0 ? '' : text.slice(colon + (text[colon + 1] === ' ' ? 2 : 1))
    if (field === 'event') event = value
    else if (field === 'data') data.push(value)
    else if (field === 'id' && !value.includes('\0')) id = value
  }

  return (chunk) => {
    rest += chunk
    // A carriage return at the very end may be half of a line break.
    const complete = rest.endsWith('\r') ? rest.slice(0, -1) : rest
    const lines = complete.split(/\r\n|\n|\r/)
    rest = (lines.pop() ?? '') + rest.slice(complete.length)
    for (const text of lines) line(text)
  }
}

/** Milliseconds before attempt n (0, 1, 2 …) at connecting again: doubling from one second to half a minute, with jitter. */
export function reconnectDelay(attempt: number, random = Math.random): number {
  return Math.min(30_000, 1000 * 2 ** attempt) * (0.75 + random() / 2)
}
