import { stat } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { removeAllFactors, setGeneratedPassword } from '#features/account/server/staff/operator.ts'
import { newLocation } from '#features/locations/schemas.ts'
import { addLocation, removeLocation, switchLocation } from '#features/locations/server/change-locations.ts'
import { listForAdmin } from '#features/locations/server/locations.ts'
import { moveFiles } from '#features/uploads/server/move-files.ts'
import { backUp, lastBackup } from '#server/backup/scheduled-backup.ts'
import type { RunCommand } from '#server/control/control-socket.ts'
import type { Deps } from '#server/deps.ts'
import { AppError } from '#server/http/app-error.ts'
import { requireValid } from '#server/http/validate.ts'
import { translate } from '#server/i18n.ts'
import { reasonOf } from '#server/log.ts'
import { isMaintenance, setMaintenance } from '#server/maintenance.ts'
import { deletePreviousSecret, previousSecret, rotateSecret } from '#server/secrets.ts'
import { version } from '#server/version.ts'
import { probeLimits } from '#shared/media.ts'

const scenesUsage = `npm run scenes -- list
       npm run scenes -- add FILE --name NAME --words WORD,... --licence LICENCE --source SOURCE [--name-en NAME] [--words-en WORD,...] [--exposure STOPS]
       npm run scenes -- on|off|remove ID`

/** Locations of the operator, managed on the command line as in the admin area. */
async function runScenes(deps: Deps, [verb, ...args]: string[], say: (line: string) => void): Promise<void> {
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

type Say = (line: string) => void
interface Command {
  usage: string
  run(deps: Deps, args: string[], say: Say): Promise<void>
}

function required(value: string | undefined, usage: string): string {
  if (!value) throw new Error(`usage: ${usage}`)
  return value
}

const commands: Record<string, Command> = {
  backup: {
    usage: 'npm run backup [-- --force]',
    async run(deps, args, say) {
      if (args.some((arg) => arg !== '--force')) throw new Error(`usage: ${this.usage}`)
      const { id, files, copiedFiles, copiedBytes, seconds } = await backUp(deps, { force: args.length > 0 })
      const megabytes = (copiedBytes / 1024 ** 2).toFixed(1)
      say(`restore point ${id}: ${files} files, ${copiedFiles} of them new (${megabytes} MB), in ${seconds} s`)
    },
  },
  maintenance: {
    usage: 'npm run admin -- maintenance on|off',
    async run(deps, [choice], say) {
      if (choice !== 'on' && choice !== 'off') throw new Error(`usage: ${this.usage}`)
      await setMaintenance(deps, choice === 'on')
      say(`maintenance is ${choice}`)
    },
  },
  'reset-password': {
    usage: 'npm run admin -- reset-password ADDRESS',
    async run(deps, [email], say) {
      const password = await setGeneratedPassword(deps, required(email, this.usage))
      say(`new password: ${password}; it must be changed at the next sign-in; all sessions have ended`)
    },
  },
  'reset-second-factor': {
    usage: 'npm run admin -- reset-second-factor ADDRESS',
    async run(deps, [email], say) {
      await removeAllFactors(deps, required(email, this.usage))
      say('second factors removed, all sessions ended; adding a new one requires the emailed link')
    },
  },
  'test-mail': {
    usage: 'npm run admin -- test-mail ADDRESS',
    async run({ mailer, config }, [email], say) {
      const to = required(email, this.usage)
      const text = `This is a test email from ${config.publicUrl.origin}.`
      await mailer.send({ to, subject: 'Test', text, html: `<p>${text}</p>` })
      say(config.smtpUrl ? `the mail server accepted the email to ${to}` : `the email is in ${config.dataDir}/outbox`)
    },
  },
  'rotate-keys': {
    usage: 'npm run admin -- rotate-keys [finish]',
    async run({ config }, [step], say) {
      if (step !== undefined && step !== 'finish') throw new Error(`usage: ${this.usage}`)
      for (const name of ['jwt', 'file-signing']) {
        if (step === 'finish') deletePreviousSecret(config.dataDir, name)
        else if (previousSecret(config.dataDir, name))
          throw new Error('the previous keys are still active: run rotate-keys finish first')
      }
      if (step === undefined) for (const name of ['jwt', 'file-signing']) rotateSecret(config.dataDir, name)
      say(
        step === 'finish'
          ? 'from the next start on, tokens and links made with the previous keys are rejected'
          : 'the next start creates new keys; tokens and links of the old ones stay valid until rotate-keys finish',
      )
    },
  },
  storage: {
    usage: 'npm run storage -- move',
    async run({ db, moving }, [choice], say) {
      if (choice !== 'move') throw new Error(`usage: ${this.usage}`)
      if (!moving)
        throw new Error('nothing to move: set PREVIOUS_STORAGE to the old location, restart, and run this again')
      const moved = await moveFiles({ db }, moving, ({ files }) => say(`${files} files moved`))
      const megabytes = (moved.bytes / 1024 ** 2).toFixed(1)
      const { files, copied, failed, reason } = moved
      if (failed > 0)
        throw new Error(
          `${files} files are identical in both locations, but ${failed} could not be moved; keep PREVIOUS_STORAGE and run this again (${reason})`,
        )
      const outcome =
        files === 0
          ? 'there are no files to move'
          : `all ${files} files are identical in both locations, ${copied} of them new (${megabytes} MB)`
      say(`${outcome}; unset PREVIOUS_STORAGE and restart, then you can delete the old location`)
    },
  },
  scenes: { usage: scenesUsage, run: runScenes },
  status: {
    usage: 'npm run admin -- status',
    async run(deps, _, say) {
      say(`version ${version}, ${deps.config.publicUrl.origin}`)
      const last = await lastBackup(deps)
      say(`last good backup: ${last?.toISOString() ?? 'none yet'}`)
      if (await isMaintenance(deps)) say('maintenance is on')
      for (const { name, text, problem } of await deps.health()) say(`${problem ? '!' : ' '} ${name}: ${text}`)
      for (const { name, jobs, reason } of await deps.jobs.failing()) say(`! ${name}: ${jobs} failing, ${reason}`)
    },
  },
}

/** A refusal in the words of the interface. */
function explain(error: unknown): string {
  if (!(error instanceof AppError)) return reasonOf(error)
  if (error.code === 'account.not_found') return 'no account has this address'
  const fields = Object.keys(error.details ?? {}).join(', ')
  const text = translate('en', `error.${error.code}`)
  return fields ? `${text} (${fields})` : text
}

export function commandRunner(deps: Deps): RunCommand {
  return async ([name = '', ...args], say) => {
    const command = Object.hasOwn(commands, name) ? commands[name] : undefined
    if (!command) {
      for (const { usage } of Object.values(commands)) say(usage)
      return 1
    }
    try {
      await command.run(deps, args, say)
      return 0
    } catch (error) {
      say(explain(error))
      return 1
    }
  }
}
