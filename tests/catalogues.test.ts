import { readFileSync } from 'node:fs'
import { formatter } from '@lingui/format-po'
import { describe, expect, it } from 'vitest'

const po = formatter()

async function catalogue(language: string, name: string) {
  const filename = `locale/${language}/${name}.po`
  const context = { locale: language, sourceLocale: 'id', filename }
  return await po.parse(readFileSync(filename, 'utf8'), context)
}

/** Names of the placeholders and tags in a message, so that a translation cannot lose or invent one. */
const slots = (text: string) => [...new Set(text.match(/\{\w+(?=[,}])|<\/?\d+\/?>/g) ?? [])].sort()

describe.each(['app', 'pages', 'server'])('the %s catalogue', (name) => {
  it('has every message in English, with the same placeholders', async () => {
    const [source, english] = await Promise.all([catalogue('id', name), catalogue('en', name)])
    const live = Object.entries(source).filter(([, message]) => !message.obsolete)
    expect(live.length).toBeGreaterThan(0)
    const missing = live.filter(([id]) => !english[id]?.translation).map(([id]) => id)
    expect(missing).toEqual([])
    const changed = live.filter(
      ([id, message]) =>
        String(slots(message.translation || message.message || id)) !== String(slots(english[id]?.translation ?? '')),
    )
    expect(changed.map(([id]) => id)).toEqual([])
  })
})
