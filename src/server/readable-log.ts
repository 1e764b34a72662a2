import { styleText } from 'node:util'

const colours = { fatal: 'red', error: 'red', warn: 'yellow', info: 'green', debug: 'blue', trace: 'gray' } as const

interface Entry {
  level: keyof typeof colours
  time: string
  msg?: string
  err?: { message: string; stack?: string; cause?: Entry['err'] }
  [field: string]: unknown
}

/**
 * A line of the JSON log in a readable form for terminals: time, level, message, its fields, and an
 * error below.
 */
export function readableLine(json: string): string {
  const { level, time, msg = '', err, ...fields } = JSON.parse(json) as Entry
  const clock = new Date(time).toTimeString().slice(0, 8)
  const known = Object.entries(fields).map(([name, value]) => `${name}=${written(value)}`)
  const head = [
    styleText('gray', clock),
    styleText(colours[level] ?? 'white', level.toUpperCase().padEnd(5)),
    msg,
    styleText('gray', known.join(' ')),
  ]
  return `${head.join(' ').trimEnd()}\n${err ? errorLines(err) : ''}`
}

const written = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))

function errorLines({ message, stack, cause }: NonNullable<Entry['err']>): string {
  const lines = [
    `         ${message}`,
    ...(stack ? [styleText('gray', stack.replace(/^\s+at /gm, '           at '))] : []),
  ]
  return `${lines.join('\n')}\n${cause ? errorLines(cause) : ''}`
}
