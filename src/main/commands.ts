import { account } from '#features/account/server/account.ts'
import { uploads } from '#features/uploads/server/uploads.ts'
import { backUp, lastBackup } from '#server/backup/scheduled-backup.ts'
import type { RunCommand } from '#server/control/control-socket.ts'
import type { Deps } from '#server/deps.ts'
import { AppError } from '#server/http/app-error.ts'
import { reasonOf } from '#server/log.ts'
import { isMaintenance, setMaintenance } from '#server/maintenance.ts'
import { exchangeSecret, forgetPreviousSecret, previousSecret } from '#server/secrets.ts'
import { version } from '#server/version.ts'

type Say = (line: string) => void
interface Command {
  /** Arguments as shown in its usage. */
  usage: string
  run(deps: Deps, args: string[], say: Say): Promise<void>
}

/** Throws a usage error for the operator. */
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
      const password = await account.giveMadePassword(deps, required(email, this.usage))
      say(`the new password is ${password}; it must be changed at the next sign-in, and all sessions have ended`)
    },
  },
  'reset-second-factor': {
    usage: 'npm run admin -- reset-second-factor ADDRESS',
    async run(deps, [email], say) {
      await account.takeFactorsOff(deps, required(email, this.usage))
      say('the second factors are gone, and all sessions have ended; the next one needs the link that is mailed')
    },
  },
  'test-mail': {
    usage: 'npm run admin -- test-mail ADDRESS',
    async run({ mailer, config }, [email], say) {
      const to = required(email, this.usage)
      const text = `This is the test that ${config.publicUrl.origin} was told to send.`
      await mailer.send({ to, subject: 'Test', text, html: `<p>${text}</p>` })
      say(config.smtpUrl ? `the mail server took the mail to ${to}` : `the mail lies in ${config.dataDir}/outbox`)
    },
  },
  'rotate-keys': {
    usage: 'npm run admin -- rotate-keys [finish]',
    async run({ config }, [step], say) {
      if (step !== undefined && step !== 'finish') throw new Error(`usage: ${this.usage}`)
      for (const name of ['jwt', 'file-signing']) {
        if (step === 'finish') forgetPreviousSecret(config.dataDir, name)
        else if (previousSecret(config.dataDir, name))
          throw new Error('the previous keys are there still: finish first')
      }
      if (step === undefined) for (const name of ['jwt', 'file-signing']) exchangeSecret(config.dataDir, name)
      say(
        step === 'finish'
          ? 'from the next start on nothing is taken that the previous keys made'
          : 'the next start makes new keys, and takes what the old ones made until rotate-keys finish',
      )
    },
  },
  storage: {
    usage: 'npm run storage -- move',
    async run({ db, moving }, [choice], say) {
      if (choice !== 'move') throw new Error(`usage: ${this.usage}`)
      if (!moving)
        throw new Error('there is nothing to move: set PREVIOUS_STORAGE to the old place, restart, and run this again')
      const moved = await uploads.moveFiles({ db }, moving, ({ files }) => say(`${files} files are in their new place`))
      const megabytes = (moved.bytes / 1024 ** 2).toFixed(1)
      const { files, copied, failed, reason } = moved
      if (failed > 0)
        throw new Error(
          `${files} files are the same in both places, but ${failed} could not be moved; keep PREVIOUS_STORAGE and run this again (${reason})`,
        )
      const outcome =
        files === 0
          ? 'there are no files to move'
          : `all ${files} files are the same in both places, ${copied} of them new (${megabytes} MB)`
      say(`${outcome}; take PREVIOUS_STORAGE away and restart, then the old place may be deleted`)
    },
  },
  status: {
    usage: 'npm run admin -- status',
    async run(deps, _, say) {
      say(`version ${version}, ${deps.config.publicUrl.origin}`)
      const last = await lastBackup(deps)
      say(`the last good backup: ${last?.toISOString() ?? 'none yet'}`)
      if (await isMaintenance(deps)) say('maintenance is on')
      for (const { name, text, problem } of await deps.health()) say(`${problem ? '!' : ' '} ${name}: ${text}`)
      for (const { name, jobs, reason } of await deps.jobs.failing()) say(`! ${name}: ${jobs} failing, ${reason}`)
    },
  },
}

/** Operator commands by name. */
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
      say(error instanceof AppError && error.code === 'account.not_found' ? 'nobody has this address' : reasonOf(error))
      return 1
    }
  }
}
