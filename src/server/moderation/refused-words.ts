import { transact } from '#server/db/transact.ts'
import type { Deps } from '#server/deps.ts'
import { appError } from '#server/http/app-error.ts'
import { recordRefusal } from './account-limit.ts'

/** Letters that are written as digits or signs to evade a filter. */
const disguises: Record<string, string> = { 0: 'o', 1: 'i', 3: 'e', 4: 'a', 5: 's', 7: 't', '@': 'a', $: 's', '!': 'i' }

/** Everyday and chat spellings by the standard one. */
const spellingsOf = {
  tidak: 'gak ga nggak enggak ngga tdk tak',
  pakai: 'pake pakek',
  hilangkan: 'ilangin ngilangin',
  hapus: 'apus hapusin',
  buka: 'bukak',
  palsukan: 'palsuin malsuin',
  yang: 'yg',
  cewek: 'cewe',
  cowok: 'cowo',
}
const standardSpelling = new Map(
  Object.entries(spellingsOf).flatMap(([standard, others]) =>
    others.split(' ').map((other) => [other, standard] as const),
  ),
)

const garment =
  '(?:baju|pakaian|busana|celana|kaos|kaus|kemeja|gaun|bh|bra|kutang|daster|kebaya|lingerie|rok|bikini|jaket)'
const headscarf = '(?:jilbab|hijab|kerudung|cadar|niqab)'
const owner =
  '(?: ?nya|ku|mu| (?:dia|si|dirinya|cewek|cowok|gadis|perempuan|wanita|pria|laki|orang|anak|ibu|model|istri|teman|mantan)\\w*)'
const strip =
  '(?:hapus|hilangkan|hilangin|lepas|lepasin|lepaskan|buka|bukain|bukakan|copot|copotin|tanggalkan|lucuti|telanjangi)'
const clothes = '(?:clothes|clothing|shirt|dress|pants|trousers|underwear|bra|bikini|skirt|top|hijab|headscarf|veil)'
const papers =
  '(?:ktp|sim|ijazah|paspor|passport|rapor|raport|slip gaji|bukti transfer|kartu keluarga|akta|skck|surat sakit|surat dokter|diploma|payslip|bank statement|id card|driving licen[cs]e|tanda tangan)'

/**
 * Each pattern is one kind of refused content, in Indonesian and English, for text after
 * {@link plainText}. Barefoot, the naked eye, a clothes line and stains on a shirt are harmless.
 */
const patterns: readonly RegExp[] = [
  /\b(?:bugil|bogel|telanjangi|ditelanjangi|setengah telanjang|telanjang bulat)\b/,
  /(?<!\b(?:kaki|mata) )\btelanjang\b(?! kaki)/,
  /\baurat(?:nya)?\b(?! tertutup)|\b(?:baju|pakaian)(?:nya)? (?:jadi )?(?:tidak ada|hilang)\b/,
  /\b(?:tanpa|tidak pakai|tidak memakai|tidak mengenakan) (?:baju|busana|pakaian|celana|bh|bra|sehelai)\b/,
  new RegExp(`\\b${strip} (?:semua |seluruh )?${garment}${owner}`),
  new RegExp(`\\b${strip} (?:semua |seluruh )?${headscarf}(?:${owner}|$)`),
  new RegExp(
    `\\b${garment}(?:nya)? (?:yang )?(?:tembus pandang|menerawang)|\\btransparan\\b.*\\b(?:puting|dada|tubuh)`,
  ),
  /\b(?:payudara|toket|tetek|puting|pentil|kelamin|kemaluan|vagina|memek|kontol|penis|titit)(?:nya)?\b/,
  /\b(?:porno|pornografi|bokep|mesum|cabul|ngentot|bersetubuh|bersenggama|vulgar|syur|sange|seronok|erotis|bispak|colmek|coli)\b/,
  /\b(?:adegan|berhubungan|hubungan|pose|foto|gambar|video) (?:seks|sex|seksual|dewasa|panas|hot)\b/,
  /\b(?:nudes|nudity|undress|undressed|undressing|topless|nsfw|porn|porno|pornographic|hentai|orgasm|erotic|erotica|explicit adult|adult content|blowjob|upskirt|deepnude)\b/,
  /(?<!\b(?:warna|in|of|a|the) )\bnude\b(?! (?:tone|tones|colou?r|colou?red|makeup|pink|beige|shade|lipstick))|\bnude (?:wom[ae]n|m[ae]n|girls?|boys?|body|bodies|persons?|people|couples?|models?|photos?|child|children|teens?|teenagers?|lady|ladies)/,
  /\bnaked (?:woman|women|man|men|girl|boy|body|person|people|child|kid|lady|model|and|in|on)\b|\b(?:is|be|her|him|them|she|he|completely|fully|half|get|make|made|become|becomes) naked\b|\b(?:strip|undress) (?:her|him|them|this|the (?:girl|woman|man|person))\b|\b(?:wear|wears|wearing) nothing\b|^naked$/,
  new RegExp(
    `\\b(?:remove|erase|delete|strip|rip|tear|lose|get rid of|hide) (?:off )?(?:all )?(?:her|his|their|my|the person s|the girl s|the woman s) ${clothes}\\b`,
  ),
  new RegExp(
    `\\btake (?:her|his|their|off her|off his|off their)(?: \\w+)? ${clothes}(?: off)?\\b|\\btake off (?:all )?(?:her|his|their) `,
  ),
  new RegExp(
    `\\b(?:remove|erase) the ${clothes} (?:of|from) (?:this|the|that|her|him|a) (?:girl|woman|person|lady|man|boy|model)\\b`,
  ),
  /\b(?:without|no) (?:any )?(?:clothes|clothing|underwear|bra|panties)(?: on)?$|\bwithout (?:any |her |his )?(?:clothes|clothing|underwear)\b/,
  /\b(?:clothes|clothing|shirt|dress|underwear) (?:invisible|disappear|vanish|see through|transparent)\b|\b(?:see through|transparent|sheer|invisible) (?:clothes|clothing|shirt|dress|blouse|top|bra)\b/,
  /\b(?:breasts|(?:her|bare|naked|big) breast|boobs|nipples?|genitals?|vagina|penis)\b(?! (?:of|feeding|cancer))/,
  /\b(?:having sex|sex (?:scene|act|position|photo|pose)|sexual (?:act|pose|scene)|(?:^|have )sex$)/,
  /\b(?:mutilasi|dimutilasi|penggal|dipenggal|terpenggal|memenggal|gorok|digorok) ?(?:kepala|leher)?|\b(?:behead|beheaded|beheading|decapitated?|decapitation|dismember|dismembered|gore|gory)\b/,
  /\b(?:penuh|berlumuran|bersimbah) darah\b|\bblood everywhere\b|\b(?:covered in|pool of) blood\b|\bbloody (?:corpse|body)\b|\b(?:mayat|jenazah|corpse|dead body)\b(?! of (?:water|lettuce))/,
  /\b(?:bunuh diri|gantung diri|bom bunuh|suicide|hang(?:ed|ing) (?:him|her)self|menyayat)\b/,
  /\b(?:isis|nazi) (?:flag|salute|uniform|fighters?|soldiers?|militant)|\bbendera (?:isis|nazi)\b|\bswastika\b/,
  new RegExp(
    `\\b${papers} (?:palsu|bohongan|aspal|tembak)\\b|\\b(?:palsukan|memalsukan|forge|counterfeit|fake) (?:a |an |my |his |her |the )?${papers}\\b`,
  ),
  new RegExp(
    `\\b(?:ubah|ganti|edit|rubah|change) (?:the )?(?:nama|tanggal|tanggal lahir|nilai|nominal|jumlah|angka|tahun|nik|name|date|grade|grades|amount)(?: \\w+){0,3} (?:di |pada |on |in |of )?(?:my |the )?${papers}`,
  ),
]

/** Lower case without accents and signs; digits among letters are read as letters. */
export function plainText(text: string): string {
  const lower = text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
  const words = lower.split(/\s+/).map((word) => {
    const hasLetters = /\p{L}/u.test(word)
    const plain = hasLetters
      ? [...word.replace(/[!.,?;:]+$/, '')].map((sign) => disguises[sign] ?? sign).join('')
      : word
    return standardSpelling.get(plain) ?? plain
  })
  return words
    .join(' ')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .replace(/(\p{L})\1{2,}/gu, '$1')
    .replace(/\b\p{L}(?: \p{L}\b){3,}/gu, (spelled) => spelled.replaceAll(' ', ''))
    .trim()
}

/** The positions of the patterns that a text matches; empty for harmless words. */
export function refusedWords(text: string): number[] {
  const plain = plainText(text)
  return patterns.flatMap((pattern, index) => (pattern.test(plain) ? [index] : []))
}

/** For texts that people read. Counts the refusal, and throws `content.words_refused`. */
export async function refuseWords(
  deps: Pick<Deps, 'db' | 'config' | 'clock'>,
  { userId, tool, fields }: { userId: string; tool: string; fields: Record<string, string> },
): Promise<void> {
  const [refused] = Object.entries(fields).filter(([, text]) => refusedWords(text).length > 0)
  if (!refused) return
  const [field, content] = refused
  await transact(deps.db, (tx) => recordRefusal(tx, deps, { userId, tool, kind: 'words', content }))
  throw appError('content.words_refused', { details: { [field]: 'content.words_refused' } })
}
