import type { LocationId, OfferedSceneId } from '../../scenes.ts'
import type { Wishes } from './scene.ts'

/**
 * Indonesian and English vocabulary: phrases before their single words; inflected forms match too.
 */
export const sceneWords: { [Id in OfferedSceneId]: string } = {
  lobby:
    'lobi, lobby, kantor, office, resepsionis, reception, ruang tunggu, waiting room, bisnis, business, profesional, professional, korporat, corporate, linkedin, cv',
  bridge:
    'koridor, lorong, corridor, hallway, koridor kaca, glass corridor, gedung kaca, glass building, kantor modern, modern office, kantor, office, korporat, corporate',
  apartment:
    'apartemen, apartement, apartment, rumah, home, house, ruang tamu, living room, ruang keluarga, kamar, room, kamar kosong, empty room',
  esplanade:
    'lounge, mal, mall, plaza indoor, hotel, lobi hotel, hotel lobby, hotel bintang lima, bintang lima, five star hotel, bokeh, lampu, lights, kerlip',
  hall: 'aula, hall, ballroom, gedung serbaguna, gedung pernikahan, wedding hall, resepsi, wisuda, graduation, panggung, stage',
  park: 'taman, park, garden, taman kota, city park, lapangan, field, rumput, grass, lawn, padang rumput, meadow, halaman, backyard, piknik, picnic, hijau alami, alam hijau, padang, golf',
  forest:
    'hutan, forest, jungle, rimba, woods, pohon, pepohonan, tree, pinus, pine, hutan pinus, pine forest, dedaunan, daun, leaf, leaves, foliage, semak, alam, nature',
  sunrise:
    'padang pagi, morning field, matahari terbit, sunrise, ladang, pedesaan, countryside, desa, kampung, kampung halaman, rural',
  sunset:
    'matahari terbenam, sunset, senja, twilight, dusk, langit senja, sunset sky, langit jingga, langit oranye, orange sky, alun-alun, plaza, piazza, town square, dermaga, pier, pelabuhan, harbour, harbor',
  venice:
    'laut, sea, ocean, samudra, tepi laut, seaside, waterfront, pinggir laut, pemandangan laut, sea view, teluk, bay, dermaga, pier',
  sky: 'langit, sky, awan, cloud, langit biru, blue sky, awan putih, white clouds, cloudy sky',
  city: 'kota, city, jalan, street, jalan raya, road, perkotaan, urban, downtown, gedung, building, trotoar, sidewalk, pusat kota, city street, jalan kota',
  dawn: 'fajar, subuh, dawn, gurun, desert, ngarai, canyon, batu karang, rocks, bukit, perbukitan, hill, savana kering',
  night:
    'langit malam, night sky, bintang, stars, starry, starry sky, malam berbintang, langit berbintang, berbintang, padang malam, savana, savanna, savannah',
  lab: 'laboratorium, laboratory, lab, ruang mesin, machine room, bengkel listrik',
  workshop: 'bengkel, workshop, pabrik, factory, manufaktur, ruang produksi, production floor, garasi, garage',
  warehouse:
    'gudang, warehouse, parkiran, parking garage, ruang kosong, empty hall, industri, industrial, gudang kosong, basement',
  'studio-room': 'studio foto, photo studio, ruang studio, studio room, film studio, softbox',
  plain: '',
  studio:
    'studio, backdrop, katalog, catalog, catalogue, gradasi, gradient, kertas, paper, spotlight, latar studio, studio backdrop, studio foto, photo studio',
  linen: 'linen, kain, fabric, cloth, katun, cotton, kanvas, canvas, tekstil, textile',
  concrete: 'beton, concrete, semen, cement, plester, plaster, dinding, tembok, wall',
  brick:
    'bata, brick, batu bata, brick wall, tembok bata, dinding bata, bata merah, batu bata merah, dinding bata merah, tembok bata merah, red brick, red brick wall',
  wood: 'kayu, wood, wooden, papan, plank, jati, teak, papan kayu, dinding kayu, wooden wall, wood wall',
  table:
    'meja, table, meja kayu, wooden table, wood table, meja kayu jati, meja jati, teak table, oak table, tabletop, table top, meja makan, dining table, meja kafe, cafe table, meja dapur, kitchen table, wooden kitchen table, coffee table, wooden desk, meja kerja kayu',
  curtain:
    'tirai, gorden, curtain, drape, beludru, velvet, sutra, silk, satin, kain beludru, velvet fabric, velvet cloth, kain sutra, silk fabric, kain satin, satin fabric',
  'window-light':
    'cahaya jendela, window light, kerai, tirai bambu, blinds, bayangan daun, leaf shadow, jendela, window',
  batik: 'batik, kawung, parang, motif batik, kain batik',
}

/** Locations that also show the words, after those of {@link sceneWords}. */
export const secondWords: { [Id in LocationId]?: string } = {
  sunrise:
    'taman, park, rumput, grass, meadow, padang rumput, lapangan, field, langit, sky, alam, nature, alam terbuka, outdoors, hijau alami, alam hijau',
  sunset:
    'laut, sea, ocean, samudra, tepi laut, pinggir laut, seaside, waterfront, pemandangan laut, sea view, teluk, bay, langit, sky',
  apartment: 'jendela, window, sinar matahari, sunlight',
  venice: 'senja, dusk, twilight',
  park: 'alam, nature, alam terbuka, outdoors, pedesaan, countryside, langit, sky, langit biru, blue sky',
  forest: 'tanaman, plant, alam terbuka, outdoors',
  hall: 'tirai putih',
}

/** Times of day and weather that a location shows: they choose among locations of equal words. */
export const timeWords: { [Id in LocationId]?: string } = {
  sunrise:
    'pagi, morning, matahari terbit, sunrise, fajar, dawn, keemasan, golden hour, sore, matahari terbenam, sunset, kabut pagi, morning mist, kabut, mist, misty, fog, foggy, berkabut',
  sunset: 'sore, evening, afternoon, petang, senja, dusk, twilight, sunset, matahari terbenam, golden hour',
  venice: 'petang, senja, dusk, twilight, blue hour',
  dawn: 'fajar, dawn, subuh',
  night: 'malam, night, tengah malam, midnight',
}

/** Words that only these scenes and drawn surfaces can show; others are in daylight. */
export const nightWords = 'malam, night, tengah malam, midnight'
export const nightLocations: readonly LocationId[] = ['night', 'esplanade', 'hall', 'warehouse', 'studio-room', 'lobby']

/** Surroundings that no scene shows, with the three most similar ones. */
export const absentLocations: readonly (readonly [
  near: readonly [LocationId, LocationId, LocationId],
  words: string,
])[] = [
  [
    ['esplanade', 'apartment', 'lobby'],
    'kafe, cafe, café, kopi, coffee, kedai, kedai kopi, warung kopi, warkop, coffee shop, restoran, restaurant, rumah makan, bar, pub, bistro, toko roti, bakery',
  ],
  [
    ['venice', 'sunset', 'sky'],
    'pantai, beach, pasir, pesisir, coast, pulau, island, kapal, perahu, boat, ship, bawah laut, underwater, coral reef, coral, terumbu',
  ],
  [
    ['venice', 'forest', 'park'],
    'danau, lake, sungai, river, kolam, pond, air terjun, waterfall, kolam renang, swimming pool, pool',
  ],
  [
    ['park', 'sunrise', 'dawn'],
    'sawah, rice field, paddy, terasering, rice terrace, kebun teh, tea plantation, kebun, perkebunan, plantation, peternakan, farm, kebun binatang, zoo',
  ],
  [
    ['park', 'forest', 'sunrise'],
    'bunga, flower, lavender field, ladang lavender, kebun bunga, flower garden, taman bunga, sakura, cherry blossom, taman bermain, playground',
  ],
  [
    ['esplanade', 'workshop', 'city'],
    'pasar, market, bazar, bazaar, pasar malam, night market, warung, toko, shop, store, supermarket, butik, boutique, salon, kios',
  ],
  [
    ['hall', 'sunset', 'lobby'],
    'masjid, mosque, gereja, church, katedral, cathedral, pura, vihara, candi, temple, klenteng, borobudur, prambanan, monas, istana, palace, castle, kastil, museum, galeri, gallery, monumen, monument',
  ],
  [
    ['lobby', 'lab', 'hall'],
    'perpustakaan, library, toko buku, bookshop, bookstore, kelas, ruang kelas, classroom, sekolah, school, kampus, campus, universitas, university, rak buku, bookshelf, bookshelves',
  ],
  [
    ['lobby', 'bridge', 'hall'],
    'ruang kerja, workspace, coworking, meja kerja, desk, ruang rapat, ruang meeting, meeting room, conference room, ruang konferensi, rumah sakit, hospital, klinik, clinic, bank, pengadilan, court',
  ],
  [
    ['apartment', 'lobby', 'esplanade'],
    'dapur, kitchen, lantai, floor, lantai keramik, tile floor, tiles, kamar tidur, bedroom, kamar mandi, bathroom, balkon, balcony, loft, teras, terrace, perapian, fireplace, sofa, kasur, bed',
  ],
  [
    ['bridge', 'esplanade', 'city'],
    'bandara, airport, stasiun, station, kereta, train, pesawat, airplane, plane, bus, mobil interior, terminal, jembatan, bridge, terowongan, tunnel, jalan tol, highway',
  ],
  [
    ['dawn', 'sky', 'forest'],
    'gunung, pegunungan, mountain, salju, snow, snowy, bersalju, musim dingin, winter, es, ice, gunung berapi, volcano, bromo, gua, cave',
  ],
  [
    ['night', 'sky', 'dawn'],
    'luar angkasa, space, outer space, galaksi, galaxy, planet, bulan, moon, aurora, kembang api, fireworks',
  ],
  [
    ['esplanade', 'city', 'night'],
    'lampu kota, city lights, kota malam, kota di malam hari, lampu malam, neon, cyberpunk, gedung tinggi, gedung pencakar langit, skyscraper, skyline, cakrawala kota, rooftop, atap gedung, klub malam, nightclub, konser, concert, karaoke',
  ],
  [['city', 'forest', 'bridge'], 'hujan, rain, rainy, badai, storm, banjir, flood'],
  [
    ['apartment', 'lobby', 'studio-room'],
    'marmer, marble, meja marmer, marble table, granit, granite, terrazzo, meja kaca, glass table',
  ],
  [['hall', 'esplanade', 'lobby'], 'teater, theatre, theater, auditorium, bioskop, cinema'],
  [['venice', 'sunset', 'city'], 'kanal, canal, canals, gondola'],
  [['forest', 'venice', 'park'], 'tropis, tropical'],
  [
    ['sunset', 'city', 'venice'],
    'kota tua, old town, alley, gang sempit, old street, european street, old european street, jalan tua, kota eropa',
  ],
  [
    ['esplanade', 'night', 'hall'],
    'natal, christmas, xmas, imlek, lunar new year, lampion, lantern, festival, karnaval, carnival, parade, pesta, party, ulang tahun, birthday, balon, balloons, halloween, tahun baru, new year',
  ],
  [['hall', 'apartment', 'workshop'], 'joglo, pendopo, rumah adat, rumah gadang, traditional house'],
  [['hall', 'warehouse', 'park'], 'stadion, stadium, gym, gimnasium, lapangan basket, basketball court, arena'],
]

/**
 * Objects shown beside a scene's main subject, optional with `detail`, fixed in `always`, and words
 * of which a neighbour tells the kind.
 */
export const sceneObjectWords: readonly {
  words: string
  detail?: Wishes['without'][number]
  always?: readonly OfferedSceneId[]
}[] = [
  { words: 'bunga, flower', detail: 'flowers' },
  { words: 'bayangan, shadow', detail: 'shadow', always: ['window-light'] },
  { words: 'tanaman, plant', detail: 'plants', always: ['forest', 'park'] },
  { words: 'pohon, pepohonan, tree, daun, dedaunan, leaf, leaves', always: ['forest', 'park', 'sunrise'] },
  { words: 'lampu, lights, lamp, bokeh', always: ['esplanade', 'hall', 'lobby', 'workshop', 'warehouse'] },
  { words: 'jendela, window', always: ['window-light', 'bridge', 'apartment', 'workshop', 'lab'] },
  { words: 'rumput, grass', always: ['park', 'sunrise'] },
  { words: 'orang, people, crowd, keramaian' },
  { words: 'lapangan, ladang, field, taman, garden, kamar, room' },
]

/** Parts of places, and uses of a picture, which are places only where nothing else is named. */
export const partWords = 'lantai, floor, dinding, tembok, wall, jalan, road, street, rumah, house, home'
export const useWords = 'linkedin, cv, bisnis, business, profesional, professional, korporat, corporate'
/** Things that are sold, which stand for their surroundings only where no place follows. */
export const thingWords = 'kopi, coffee, sofa, kasur, bed'

/** Surroundings that are seen above others. */
export const detailWords = 'langit, sky, awan, cloud, langit biru, blue sky, awan putih, white clouds, cloudy sky'

/** sRGB colours in daylight: Indonesian words, which follow their noun, and English words. */
export const colourWords: Readonly<Record<string, readonly [indonesian: string, english: string]>> = {
  '#b3262b': ['merah', 'red, crimson'],
  '#9c4a35': [
    'merah bata, terakota, bata merah, batu bata merah, dinding bata merah, tembok bata merah',
    'brick red, terracotta, red brick, red brick wall',
  ],
  '#7a1f2e': ['marun, merah tua', 'maroon, burgundy, dark red'],
  '#e58fa5': ['merah muda, merah jambu', 'pink, dusty pink'],
  '#f2c9cf': ['pink muda, pink lembut, pink pastel', 'baby pink, blush, light pink, soft pink, pastel pink'],
  '#e3732f': ['oranye, jingga', 'orange'],
  '#f0b49a': ['persik, salem', 'peach'],
  '#e6b422': ['kuning', 'yellow'],
  '#c79a3a': ['emas', 'gold, golden, mustard'],
  '#4f8f4a': ['hijau', 'green, green screen, greenscreen'],
  '#1f5a43': ['zamrud, hijau tua, hijau botol', 'emerald, dark green'],
  '#9caf88': ['hijau muda, zaitun, hijau sage, hijau army', 'sage, olive, light green'],
  '#a9d8c3': ['tosca muda', 'mint'],
  '#2a9d96': ['tosca, toska, pirus, hijau tosca, hijau toska', 'teal, turquoise'],
  '#2f63b0': ['biru', 'blue'],
  '#1c2f57': ['biru tua, dongker', 'navy, dark blue, indigo'],
  '#9cc3e6': ['biru muda, biru langit, biru pastel', 'light blue, baby blue, sky blue, soft blue, pastel blue'],
  '#7451a8': ['ungu', 'purple, violet'],
  '#c0afe0': ['ungu muda, lila', 'lavender, lilac'],
  '#7a4f33': ['coklat, cokelat', 'brown, mocha'],
  '#c9ab84': ['krem, coksu', 'beige, cream, khaki, nude'],
  '#e9e7e3': ['putih', 'white, ivory, broken white, off white, off-white'],
  '#c9ccd0': ['abu muda, abu-abu muda', 'light grey, light gray, pale grey, pale gray'],
  '#4d5054': ['abu tua, abu-abu tua', 'dark grey, dark gray'],
  '#8b8e92': ['abu, abu-abu, kelabu, perak', 'grey, gray, silver'],
  '#26272b': ['hitam, arang', 'black, charcoal'],
}

/** Colours that a shade beside them makes precise. */
export const hueWords =
  'merah, oranye, kuning, hijau, biru, ungu, coklat, putih, red, pink, orange, yellow, green, blue, purple, brown, white'

/** Words beside a colour that make it lighter, unless both are a shade of {@link colourWords}. */
export const paleWords = 'muda, pastel, lembut, light, pale, soft'

/** Colours that locations have, or are without: the others are reported as not possible. */
const neutral =
  'putih, white, hitam, black, abu, abu-abu, grey, gray, krem, beige, coklat, cokelat, brown, emas, gold, golden'
const greens = 'hijau, green, hijau tua, dark green, hijau muda, light green'
const blues = 'biru, blue, biru muda, light blue, biru tua, dark blue, biru langit, sky blue'
const warm = 'oranye, jingga, orange, kuning, yellow, emas, gold, golden'
export const naturalColours: { [Id in LocationId]: string } = {
  lobby: neutral,
  bridge: `${neutral}, ${blues}`,
  apartment: neutral,
  esplanade: `${neutral}, ${warm}`,
  hall: `${neutral}, ${warm}`,
  park: greens,
  forest: `${greens}, ${neutral}`,
  sunrise: `${greens}, ${warm}`,
  sunset: `${warm}, ${neutral}`,
  venice: `${blues}, ${neutral}`,
  sky: `${blues}, putih, white`,
  city: neutral,
  dawn: neutral,
  night: `${blues}, hitam, black`,
  lab: greens,
  workshop: `${neutral}, ${warm}`,
  warehouse: neutral,
  'studio-room': '',
}

type Mood = Partial<Pick<Wishes, 'warmth' | 'brightness' | 'drama' | 'blur'>>

/** Moods, times of day and weather, with their effect from −1 to 1, see `Wishes`. */
export const moodWords: readonly (readonly [Mood, string])[] = [
  [{ warmth: 0.7 }, 'hangat, warm, cozy, cosy, nyaman, lebaran, ramadan, keemasan'],
  [{ warmth: -0.7 }, 'dingin, cold, cool, sejuk'],
  [{ brightness: 0.6 }, 'terang, bright, cerah, light, sunny, airy, ceria, cheerful, fresh, segar'],
  [{ brightness: -0.6 }, 'gelap, dark, redup, dim, temaram, low key, misterius, mysterious'],
  [
    { drama: 0.8 },
    'dramatis, dramatic, kontras, contrast, sinematik, cinematic, moody, epik, epic, elegan, elegant, mewah, luxury',
  ],
  [{ drama: -0.7 }, 'lembut, soft, halus, pastel, tenang, calm, romantis, romantic, dreamy'],
  [{ blur: 0.8 }, 'buram, blur, blurred, blurry, kabur, defocus'],
  [{ blur: -0.8 }, 'tajam, sharp, jelas, crisp'],
  [{ warmth: 0.35, drama: -0.2 }, 'pagi, morning, matahari terbit, sunrise'],
  [
    { warmth: 0.6, brightness: -0.15 },
    'sore, evening, afternoon, petang, golden hour, senja, dusk, matahari terbenam, sunset',
  ],
  [{ brightness: -0.5, warmth: -0.1 }, 'malam, night'],
  [{ brightness: 0.15 }, 'siang, day, daylight, noon'],
]

/**
 * Words that negate what follows; words that extend the negation to the next noun, the second list
 * between alternatives.
 */
export const negations =
  'tanpa, bukan, jangan, tidak, tak, gak, ga, nggak, ngga, enggak, engga, ndak, kecuali, hindari, no, not, without, zero, never, dont, avoid, except'
export const conjunctions = 'dan, maupun, serta, and, nor'
export const alternatives = 'atau, or'

/** Words for the background as a whole: colours next to them apply to all of it. */
export const backgroundWords =
  'latar, latar belakang, background, suasana, scene, warna, tema, theme, nuansa, tone, colour, color'

/** Words that ask for one even colour. */
export const plainWords =
  'polos, plain, solid, rata, pas foto, pasfoto, passport photo, id photo, ktp, sim, paspor, passport, visa, ijazah, skck, green screen, greenscreen'

/** Words that name nothing: those of grammar, and what every background has. */
export const fillerWords =
  'nothing, else, aja, cuma, cuman, doang, dong, deh, sih, nih, tuh, kok, ya, kan, pun, banget, bgt, sekali, sekitar, antara, sambil, agar, supaya, biar, karena, kalau, oleh, bagi, tersebut, sedang, sudah, udah, akan, bisa, boleh, harus, perlu, ingin, pengen, pengin, kasih, taruh, jadikan, gunakan, pake, kita, kami, kamu, lebih, paling, cukup, semua, beberapa, lain, sama, sebelah, samping, kiri, kanan, tengah, bawah, terlihat, tampak, kelihatan, gitu, gini, mirip, cahaya, pencahayaan, sinar, dgn, yg, utk, dr, pd, over, under, above, below, beneath, between, among, along, across, around, beside, next, through, into, onto, off, out, up, down, about, as, is, are, be, has, have, having, it, its, this, that, these, those, there, here, i, we, you, your, our, their, something, anything, somewhere, anywhere, any, more, most, much, many, few, little, bit, lot, kind, sort, type, whichever, whatever, which, where, when, while, look, looking, better, best, good, great, so, too, also, than, then, if, can, could, would, should, will, need, give, put, show, set, placed, use, lighting, seamless, feel, vibe, mood, di, ke, dari, dengan, yang, pada, untuk, saat, waktu, ketika, ini, itu, ada, sebuah, seperti, penuh, hari, depan, belakang, atas, berwarna, coloured, colored, gaya, ala, sangat, agak, sedikit, banyak, foto, gambar, produk, potret, bersih, saja, hanya, minimalis, modern, klasik, indah, cantik, bagus, keren, estetik, alami, a, an, the, in, on, at, of, with, to, for, by, from, very, some, during, behind, front, style, photo, picture, image, product, portrait, clean, just, only, simple, minimalist, classic, beautiful, nice, aesthetic, natural, realistic, professional photo, high quality, hd, 4k, industrial, industri, rustic, rustik, boho, outdoor, indoor, luar ruangan, dalam ruangan, interior, besar, kecil, luas, tinggi, big, large, small, wide, cerah berawan, cloudy, berawan, mendung, kosong, empty, tua, old, baru, new, ramai, sepi, quiet, kayak, like, dalam, inside, outside, luar, tepi, pinggir, dekat, near, my, me, saya, aku, buat, bikin, ganti, make, change, tempat, place, ruang, view, pemandangan, lagi, jadi, full, hari ini, cantik sekali, profil, profile, headshot, jualan, dagangan, musim, season, berdiri, standing, duduk, sitting, falling, giant, raksasa, tall, lush, rindang, lebat, rimbun, keras, hard, muda, pale, murni, pure, deep, pakai, memakai, using, mau, want, tolong, please, ukuran, size, kos, kost'
