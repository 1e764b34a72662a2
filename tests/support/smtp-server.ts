import { once } from 'node:events'
import { SMTPServer } from 'smtp-server'

export interface ReceivedMail {
  from: string
  to: string[]
  /** Signed-in name. */
  user: string | undefined
  source: string
}

/** On a loopback address; with a login it refuses unauthenticated clients. */
export async function createSmtpServer({ login }: { login?: { user: string; password: string } } = {}) {
  const received: ReceivedMail[] = []
  let refusing: RegExp | undefined
  let refused = 0
  let stalling = false
  let stalled = 0
  const server = new SMTPServer({
    authOptional: !login,
    // Without TLS on this machine.
    disabledCommands: login ? ['STARTTLS'] : ['STARTTLS', 'AUTH'],
    allowInsecureAuth: true,
    onAuth(given, _session, answer) {
      if (given.username === login?.user && given.password === login?.password) answer(null, { user: given.username })
      else answer(Object.assign(new Error('Invalid login'), { responseCode: 535 }))
    },
    onRcptTo({ address }, _session, answer) {
      if (stalling) {
        stalled += 1
        return
      }
      if (!refusing?.test(address)) return answer()
      refused += 1
      answer(Object.assign(new Error('The mailbox is full'), { responseCode: 450 }))
    },
    onData(stream, { envelope, user }, answer) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        received.push({
          from: envelope.mailFrom === false ? '' : envelope.mailFrom.address,
          to: envelope.rcptTo.map(({ address }) => address),
          user,
          source: Buffer.concat(chunks).toString('latin1'),
        })
        answer()
      })
    },
  })
  server.on('error', () => {})
  const listening = server.listen(0, '127.0.0.1')
  await once(listening, 'listening')
  const { port } = listening.address() as { port: number }
  const credentials = login ? `${encodeURIComponent(login.user)}:${encodeURIComponent(login.password)}@` : ''
  return {
    url: `smtp://${credentials}127.0.0.1:${port}`,
    received,
    refuse(pattern: RegExp | undefined) {
      refusing = pattern
    },
    refused: () => refused,
    /** Leaves every recipient unanswered. */
    stall(on: boolean) {
      stalling = on
    },
    stalled: () => stalled,
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  }
}
