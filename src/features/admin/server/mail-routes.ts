import { Hono } from 'hono'
import type { Language } from '#contract/language.ts'
import { account } from '#features/account/server/account.ts'
import type { Deps } from '#server/deps.ts'
import { appError } from '#server/http/app-error.ts'
import { documented, respondsWith } from '#server/http/documented.ts'
import { done } from '#server/http/done.ts'
import type { UserEnv } from '#server/http/env.ts'
import { limitRate } from '#server/http/rate-limit.ts'
import { jsonOnly, valid, validJson } from '#server/http/validate.ts'
import { composeMail } from '#server/mail/compose-mail.ts'
import type { MailDefinitions } from '#server/mail/mail-definition.ts'
import { type MailTemplate, mailTemplates } from '#server/mail/table.ts'
import { mailPreviewInput, mailPreviewSchema, mailTemplatesSchema } from '../schemas.ts'

/** What the sentences of mails are about in an example. */
const examples = {
  ...{
    number: 'R-000123',
    code: '123456',
    minutes: '15',
    device: 'Chrome · Android',
    when: '17 Agustus 2026, 10.00 WIB',
  },
  ...{ amount: 'Rp 165.000', credits: '499', reference: 'BCA-0099', reason: 'Contoh alasan', list: '2 transfer' },
  ...{ title: 'Foto keluarga', text: 'Contoh pesan', hasNote: 'true', note: 'Contoh catatan' },
}

const testsPerHour = { limit: 20, seconds: 3600 }

/** How each mail reads, with a test to whoever asks; paths are relative to /api. */
export function mailPreviewRoutes(deps: Deps, definitions: MailDefinitions) {
  const shop = account.requirePermission(deps, 'shop')
  const path = '/admin/mail_templates'
  const example = (template: MailTemplate, language: Language, to: string) =>
    composeMail({
      ...{ template, cause: definitions[template].cause, to, language },
      link: new URL('/', deps.config.publicUrl).href,
      values: { support: deps.config.supportEmail, ...examples },
    })
  const known = (name: string): MailTemplate => {
    const found = mailTemplates.find((template) => template === name)
    if (!found) throw appError('request.not_found')
    return found
  }
  const sendTest = async (userId: string, template: MailTemplate, language: Language) => {
    await limitRate(deps, [{ rule: 'test-mail', subject: userId, ...testsPerHour }])
    const person = await account.findRecipient(deps.db, userId)
    if (!person) throw appError('account.not_found')
    try {
      await deps.mailer.send(example(template, language, person.address))
    } catch (error) {
      deps.log.warn({ err: error }, 'a test mail could not be handed over')
      throw appError('server.unavailable')
    }
  }
  return new Hono<UserEnv>()
    .get(
      path,
      documented('The mails there are', respondsWith(200, 'Their names and subjects', mailTemplatesSchema)),
      shop,
      valid('query', mailPreviewInput),
      async (c) => {
        const { language } = c.req.valid('query')
        const items = mailTemplates.map((template) => ({ template, subject: example(template, language, '').subject }))
        return c.json({ items })
      },
    )
    .get(
      `${path}/:template`,
      documented('How a mail reads, of an example', respondsWith(200, 'The mail', mailPreviewSchema)),
      shop,
      valid('query', mailPreviewInput),
      async (c) => {
        const { subject, text } = example(known(c.req.param('template')), c.req.valid('query').language, '')
        return c.json({ subject, text })
      },
    )
    .post(
      `${path}/:template/test`,
      documented('Send the example to one’s own address', respondsWith(204, 'It is handed over')),
      shop,
      jsonOnly,
      validJson(mailPreviewInput),
      async (c) => done(c, sendTest(c.var.user.id, known(c.req.param('template')), c.req.valid('json').language)),
    )
}
