// Style rules of docs/CONTRIBUTING.md. Lines that need an exception end with `language-ok`.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { encoding: 'utf8' }).trim().split('\n')
const self = 'src/scripts/check-language.mjs'
const code = listed.filter((file) => /^(src|sw|tests|e2e)\/.*\.(ts|tsx|mjs|mts|css)$|^vite/.test(file) && file !== self)
const prose = listed.filter((file) => /\.md$/.test(file) && !/licences\.md$/.test(file))

const comment = /^\s*(?:\/\/|\/\*\*?|\*)\s?(.*)/
const opener = /^(What|Who|Whose|Who(so)?ever|Whatever|Whether|Where|How|Which|Why|When)\b/
const bare = /^(It|Those|They|Them|That of|One (of|that|who|whose|which|may|has|is|does|needs))\b/
const people = /\b((some|no|every)body|who(so)?ever)\b/i
const riddles = /\b(patiently|confide|tookBack|oweDownload|takeMoneyOfNobody|isLostToTwin|promisedRun|atOnce)\b/

const problems = []
function report(file, line, problem, text) {
  problems.push(`${file}:${line + 1}  ${problem}: ${text.trim()}`)
}

for (const file of [...code, ...prose]) {
  let open = false
  for (const [i, line] of readFileSync(file, 'utf8').split('\n').entries()) {
    if (line.includes('language-ok')) continue
    if (people.test(line)) report(file, i, 'name the user, the admin, an attacker …', line)
    if (!code.includes(file)) continue
    const text = comment.exec(line)?.[1]
    const starts = Boolean(text) && !open
    if (starts && opener.test(text)) report(file, i, 'a comment needs a subject and a verb', line)
    if (starts && bare.test(text)) report(file, i, 'a comment needs a noun as its subject', line)
    if (text !== undefined && line.length > 100 && !line.includes('biome-ignore'))
      report(file, i, 'over 100 columns', line)
    if (riddles.test(line)) report(file, i, 'use a plain name (docs/glossary.md)', line)
    open = Boolean(text) && !/\*\/\s*$/.test(line) && !/[.:;)]\s*$/.test(text)
  }
}
for (const problem of problems.slice(0, 50)) console.log(problem)
if (problems.length > 0) console.log(`${problems.length} lines to reword; the rules are in docs/CONTRIBUTING.md`)
process.exitCode = problems.length > 0 ? 1 : 0
