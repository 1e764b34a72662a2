import { stat } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { newLocation } from '#features/locations/schemas.ts'
import { addLocation, removeLocation, switchLocation } from '#features/locations/server/change-locations.ts'
import { listForAdmin } from '#features/locations/server/locations.ts'
import type { Deps } from '#server/deps.ts'
import { requireValid } from '#server/http/validate.ts'
import { probeLimits } from '#shared/media.ts'

export const scenesUsage = `npm run scenes -- list
       npm run scenes -- add FILE --name NAME --words WORD,... --licence LICENCE --source SOURCE [--name-en NAME] [--words-en WORD,...] [--exposure STOPS]
       npm run scenes -- on|off|remove ID`

/** Locations of the operator, managed on the command line as in the admin area. */
export async function runScenes(deps: Deps, [verb, ...args]: string[], say: (line: string) => void): Promise<void> {
  if (verb === 'list') return list(deps, say)
  if (verb === 'add') return add(deps, args, say)
  const [id] = args
  if (!id || args.length > 1) throw new Error(`usage: ${scenesUsage}`)
  if (verb === 'remove') await removeLocation(deps, null, id)
  else if (verb === 'on' || verb === 'off') await switchLocation(deps, id, verb === 'on')
  else throw new Error(`usage: ${scenesUsage}`)
  say(`${id} is ${verb === 'remove' ? 'removed' : verb}`)
}

async function list({ db }: Pick<Deps, 'db'>, say: (line: string) => void): Promise<void> {
  const all = await listForAdmin(db)
  if (all.length === 0) say('no locations added')
  for (const { id, version, name, words, kind, licence, source, active } of all) {
    say(`${id.padEnd(32)} ${kind} ${active ? 'on' : 'off'}, version ${version}: ${name.id} / ${name.en}`)
    say(`  ${words.id}; ${words.en}`)
    say(`  ${licence}, ${source}`)
  }
}

async function add(deps: Deps, args: string[], say: (line: string) => void): Promise<void> {
  const text = { type: 'string' } as const
  const { positionals, values } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      name: text,
      'name-en': text,
      words: text,
      'words-en': text,
      licence: text,
      source: text,
      exposure: text,
    },
  })
  const [path] = positionals
  const { name, words, licence, source, exposure = '0' } = values
  if (!path || positionals.length > 1 || !name || !words || !licence || !source) {
    throw new Error(`usage: ${scenesUsage}`)
  }
  if ((await stat(path)).size > probeLimits.bytes) throw new Error(`the file has more than ${probeLimits.bytes} bytes`)
  const given = requireValid(newLocation, {
    name: { id: name, en: values['name-en'] ?? name },
    words: { id: words, en: values['words-en'] ?? words },
    licence,
    source,
    exposure: Number(exposure),
  })
  say(`${await addLocation(deps, null, { ...given, path })} is added and offered`)
}
