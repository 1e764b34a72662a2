import { readFileSync } from 'node:fs'
import { type I18n, setupI18n } from '@lingui/core'
import { parsePoFile } from '@lingui/format-po'
import { compileMessageOrThrow } from '@lingui/message-utils/compileMessage'
import type { ClosingReason } from '#shared/age.ts'
import type { ErrorCode } from '#shared/errors.ts'
import { type Language, languages } from '#shared/language.ts'
import type { MailTemplate } from './mail/table.ts'

/** Messages of the server itself: error codes, responses and mails. */
export type MessageId =
  | `error.${ErrorCode}${'' | '.video'}`
  | `message.${'registered' | 'confirmation_sent' | 'reset_sent' | 'password_reset' | 'email_change_sent' | 'archive' | 'first_factor_sent' | 'factors_kept'}`
  | `field.${string}`
  | `mail.${MailTemplate}.${'subject' | 'text' | 'action'}`
  | `mail.${'greeting' | 'link_hint' | 'footer' | 'last_footer' | 'account_footer' | 'guardian_footer' | 'new_device.unknown' | 'custom_edit_done.note'}`
  | `mail.closing.${ClosingReason}`
  | `push.${string}.${'title' | 'text' | 'group'}`
  | `receipt.${string}`
  | `shared.${string}`
  | `simulator.${string}`
  | `staff_notice.${string}`
  | `warning.${string}`

const catalogues = Object.fromEntries(languages.map((language) => [language, readCatalogue(language)])) as Record<
  Language,
  I18n
>

function readCatalogue(language: Language): I18n {
  const file = new URL(`../../locale/${language}/server.po`, import.meta.url)
  const messages = parsePoFile(readFileSync(file, 'utf8')).items.map(
    ({ msgid, msgstr }) => [msgid, compileMessageOrThrow(msgstr[0] ?? '')] as const,
  )
  return setupI18n({ locale: language, messages: { [language]: Object.fromEntries(messages) } })
}

export function hasMessage(language: Language, id: string): boolean {
  const messages = catalogues[language].messages as Record<string, unknown[]>
  return Object.hasOwn(messages, id) && (messages[id]?.length ?? 0) > 0
}

/** Time in Jakarta. */
export function formatWib(moment: Date, language: Language): string {
  const format = new Intl.DateTimeFormat(language, {
    dateStyle: 'long',
    timeStyle: 'short',
    timeZone: 'Asia/Jakarta',
  })
  return `${format.format(moment)} WIB`
}

export function translate(language: Language, id: MessageId, values?: Record<string, string | number>): string {
  return catalogues[language]._(id, values)
}
