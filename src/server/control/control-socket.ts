import { rm } from 'node:fs/promises'
import { connect, createServer } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Logger } from 'pino'

/** Prints lines with `say`; resolves to an exit code. */
export type RunCommand = (args: string[], say: (line: string) => void) => Promise<number>

const socketOf = (dataDir: string) => join(dataDir, 'control.sock')

/**
 * Commands reach the process with the embedded database by a socket in DATA_DIR. Any account that
 * may read that folder may do everything anyway.
 */
export async function listenForCommands(dataDir: string, run: RunCommand, log: Logger): Promise<() => Promise<void>> {
  await rm(socketOf(dataDir), { force: true })
  const server = createServer((socket) => {
    const send = (message: object) => socket.writable && socket.write(`${JSON.stringify(message)}\n`)
    socket.on('error', () => {})
    const lines = createInterface({ input: socket })
    lines.on('error', () => {})
    lines.once('line', async (line) => {
      const { args } = JSON.parse(line) as { args: string[] }
      const code = await run(args, (text) => send({ line: text })).catch((error: unknown) => {
        send({ line: error instanceof Error ? error.message : String(error) })
        return 1
      })
      send({ code })
      socket.end()
    })
  })
  server.on('error', (error) =>
    log.warn({ err: error }, 'the control socket failed, so commands cannot reach this process'),
  )
  server.listen(socketOf(dataDir))
  server.unref()
  return () => new Promise((resolve) => server.close(() => resolve()))
}

/** Undefined if no process runs. Reports it if the process ends before the command has. */
export function sendCommand(dataDir: string, args: string[], say: (line: string) => void): Promise<number | undefined> {
  return new Promise((resolve) => {
    const socket = connect(socketOf(dataDir))
    let connected = false
    let code: number | undefined
    socket.once('connect', () => {
      connected = true
      socket.write(`${JSON.stringify({ args })}\n`)
    })
    // An error after the connection is handled by its `close` event.
    socket.once('error', () => !connected && resolve(undefined))
    const lines = createInterface({ input: socket })
    lines.on('error', () => {})
    lines.on('line', (text) => {
      const message = JSON.parse(text) as { line?: string; code?: number }
      if (message.line !== undefined) say(message.line)
      if (message.code !== undefined) code = message.code
    })
    socket.once('close', () => {
      if (connected && code === undefined) say('the server stopped before the command finished; run it again')
      resolve(connected ? (code ?? 1) : undefined)
    })
  })
}
