import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { callbackErrors } from '../rules.ts'
import { callbackProblem } from './provider-window.ts'

const locale = join(import.meta.dirname, '..', '..', '..', '..', 'locale')
const server = readFileSync(join(locale, 'id', 'server.po'), 'utf8')

test.each(callbackErrors)('%s ends a provider’s window with the server’s Indonesian words', (code) => {
  expect(server).toContain(`msgid "error.${code}"\nmsgstr "${callbackProblem(code)}"`)
})

test('the address cannot inject a text of its own', () => {
  for (const code of ['', 'toString', '__proto__', 'Akunmu diretas, hubungi kami di jahat.test']) {
    expect(callbackProblem(code)).toBe('Terjadi kesalahan')
  }
})
