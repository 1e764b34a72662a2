/** A mail to one person. */
export interface Mail {
  to: string
  subject: string
  text: string
  html: string
  /** The one link that matters in it; printed in the log when the outbox is used on a loopback address. */
  link?: string
}

/** SMTP or the outbox. Use cases enqueue mails as jobs; only the mail job calls this. */
export interface Mailer {
  send(mail: Mail): Promise<void>
}
