import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { SendMailOptions, Transporter } from 'nodemailer'
import type { Logger } from 'pino'
import type { Config } from '../config.ts'

export interface Mail {
  to: string
  subject: string
  text: string
  html: string
  /** Printed in the log when the outbox is used on a loopback address. */
  link?: string
  /** Recorded in the outbox, so that the mail can be erased. */
  account?: string
  attachments?: { filename: string; contentType: string; content: Uint8Array }[]
}

/**
 * Use cases enqueue mails (mail/outbox.ts). Only the mail job sends, and staff's test mails, which
 * must report the outcome at once.
 */
export interface Mailer {
  send(mail: Mail): Promise<void>
  /** Throws when mails cannot be delivered now. */
  check?(): Promise<void>
  forget?(account: string): Promise<void>
}

/** Sends to SMTP_URL, or writes files to DATA_DIR/outbox. */
export function createMailer(
  config: Pick<Config, 'smtpUrl' | 'mailFrom' | 'dataDir' | 'loopback'>,
  log: Logger,
  clock: () => Date,
): Mailer {
  return config.smtpUrl ? smtpMailer(config.smtpUrl, config.mailFrom) : outboxMailer(config, log, clock)
}

/** ASCII text is sent unencoded, so that a link stays in one piece in the source. */
function message({ to, subject, text, html, attachments = [] }: Mail): SendMailOptions {
  const part = (contentType: string, content: string) =>
    isShortAscii(content)
      ? { raw: `Content-Type: ${contentType}; charset=utf-8\r\nContent-Transfer-Encoding: 7bit\r\n\r\n${content}` }
      : { contentType: `${contentType}; charset=utf-8`, content }
  return {
    to,
    subject,
    alternatives: [part('text/plain', text), part('text/html', html)],
    attachments: attachments.map(({ content, ...rest }) => ({ ...rest, content: Buffer.from(content) })),
  }
}

/** Loaded with the first mail, for a faster start. */
const nodemailer = () => import('nodemailer')

/** 7-bit text with lines of at most 998 characters (RFC 5322 §2.1.1). */
function isShortAscii(text: string): boolean {
  return /^[\t\n\x20-\x7e]*$/.test(text) && text.split('\n').every((line) => line.length <= 998)
}

function smtpMailer(url: string, from: string): Mailer {
  let opened: Transporter | undefined
  const transport = async () => {
    const { createTransport } = await nodemailer()
    opened ??= createTransport(url, { from, disableFileAccess: true, disableUrlAccess: true })
    return opened
  }
  return {
    async send(mail) {
      await (await transport()).sendMail(message(mail))
    },
    async check() {
      await (await transport()).verify()
    },
  }
}

/** Never sent by SMTP. */
const accountHeader = 'X-Account'

function outboxMailer(
  { mailFrom, dataDir, loopback }: Pick<Config, 'mailFrom' | 'dataDir' | 'loopback'>,
  log: Logger,
  clock: () => Date,
): Mailer {
  const folder = join(dataDir, 'outbox')
  let count = 0
  return {
    async send(mail) {
      const { to, link, account } = mail
      const date = clock()
      const { createTransport } = await nodemailer()
      const transport = createTransport({ streamTransport: true, buffer: true, newline: 'windows' }, { from: mailFrom })
      const { message: bytes } = await transport.sendMail({
        ...message(mail),
        date,
        ...(account && { headers: { [accountHeader]: account } }),
      })
      await mkdir(folder, { recursive: true, mode: 0o700 })
      count += 1
      const moment = `${date.toISOString().replaceAll(':', '-')}-${String(count).padStart(4, '0')}`
      const name = `${moment}-${to.replace(/[^A-Za-z0-9@._+-]/g, '_').slice(0, 150)}.eml`
      const draft = join(folder, `.${moment}.draft`)
      await writeFile(draft, bytes as Buffer, { mode: 0o600, flush: true })
      await rename(draft, join(folder, name))
      if (loopback) log.info({ link }, 'wrote an email to the outbox')
    },
    async forget(account) {
      const names = await readdir(folder).catch(() => [])
      for (const name of names.filter((found) => found.endsWith('.eml'))) {
        const file = join(folder, name)
        const head = (await readFile(file, 'latin1').catch(() => '')).split('\r\n\r\n', 1)[0] ?? ''
        if (head.split('\r\n').includes(`${accountHeader}: ${account}`)) await rm(file, { force: true })
      }
    },
  }
}
