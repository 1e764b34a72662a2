import { type LocationId, locationIds, type OfferedSceneId } from '../../scenes.ts'
import type { Wishes } from './scene.ts'

/** A beach or the sea, by day or in the evening. */
const seaWords =
  'pantai, pantai tropis, pesisir, laut, laut lepas, samudra, tepi laut, pinggir laut, pemandangan laut | beach, tropical beach, seashore, shore, coast, coastline, beachfront, sea, ocean, seaside, sea view, ocean view'

/**
 * Indonesian vocabulary, and English words after the bar: phrases before their single words;
 * inflected forms match too.
 */
export const sceneWords: { [Id in OfferedSceneId]: string } = {
  lobby:
    'lobi, kantor, kantor modern, resepsionis, ruang tunggu, bisnis, profesional, korporat, lamaran, lamaran kerja, melamar kerja | lobby, office, modern office, reception, waiting room, business, professional, corporate, linkedin, cv, resume, job application',
  bridge:
    'koridor, lorong, koridor kaca, gedung kaca, kantor modern, kantor, korporat | corridor, hallway, glass corridor, glass building, modern office, office, corporate',
  apartment:
    'apartemen, apartement, rumah, ruang tamu, ruang keluarga, kamar, kamar kosong, ruangan, ruangan kosong | apartment, home, house, living room, room, empty room',
  esplanade:
    'mal, plaza indoor, lobi hotel, hotel bintang lima, bintang lima, lampu, kerlip | lounge, mall, shopping mall, hotel, hotel lobby, five star hotel, bokeh, lights',
  hall: 'aula, gedung serbaguna, gedung pernikahan, resepsi, wisuda, panggung | hall, banquet hall, ballroom, wedding hall, graduation, stage',
  park: 'taman, taman kota, lapangan, rumput, padang rumput, halaman, piknik, hijau alami, alam hijau, padang | park, garden, city park, field, grass, lawn, meadow, backyard, yard, picnic, golf, golf course',
  forest:
    'hutan, rimba, pohon, pepohonan, pinus, hutan pinus, dedaunan, daun, semak, alam | forest, jungle, woods, tree, pine, pine forest, leaf, leaves, foliage, nature',
  beach: `${seaWords}, pasir putih, pasir pantai, white sand`,
  'beach-sunset':
    'senja di pantai, senja pantai, sunset pantai, pantai sunset, senja di laut | beach sunset, ocean sunset',
  'cafe-terrace':
    'teras kafe, teras cafe, teras kedai kopi, kafe outdoor, cafe outdoor, kafe terbuka, kafe taman, kafe sore, kafe senja, kafe petang, cafe sore, cafe senja, kedai kopi sore, kedai kopi outdoor, coffee shop outdoor, warung kopi outdoor, restoran outdoor, resto outdoor, teras restoran, teras resto, lampu gantung, lampu tumblr | cafe terrace, cafe patio, café terrace, café patio, outdoor cafe, outdoor café, outdoor coffee shop, street cafe, sidewalk cafe, outdoor restaurant, restaurant terrace, restaurant patio, beer garden, string lights, fairy lights',
  'rice-field':
    'sawah, persawahan, ladang padi, hamparan padi, pematang sawah | rice field, ricefield, paddy, paddy field, rice paddy, rice farm',
  sunrise:
    'padang pagi, matahari terbit, ladang, pedesaan, desa, kampung, kampung halaman | morning field, sunrise, countryside, rural',
  sunset:
    'matahari terbenam, matahari tenggelam, senja, langit senja, langit sore, langit jingga, langit oranye, alun-alun, dermaga | sunset, twilight, dusk, sunset sky, orange sky, plaza, piazza, town square, square, pier',
  venice: 'tepi laut, pinggir laut, teluk, dermaga | seaside, waterfront, bay, pier',
  sky: 'langit, awan, langit biru, awan putih | sky, cloud, blue sky, white clouds, cloudy sky',
  city: 'kota, jalan, jalan raya, perkotaan, gedung, trotoar, pusat kota, jalan kota | city, street, road, urban, downtown, building, sidewalk, city street',
  dawn: 'fajar, subuh, gurun, padang pasir, ngarai, batu karang, bukit, perbukitan, savana kering | dawn, desert, canyon, rocks, hill',
  night:
    'langit malam, bintang, malam berbintang, langit berbintang, berbintang, padang malam, savana | night sky, stars, starry, starry sky, savanna, savannah',
  lab: 'laboratorium, ruang mesin, bengkel listrik | laboratory, lab, machine room',
  workshop: 'bengkel, pabrik, manufaktur, ruang produksi, garasi | workshop, factory, production floor, garage',
  warehouse:
    'gudang, parkiran, ruang kosong, industri, gudang kosong | warehouse, parking garage, empty hall, industrial, basement',
  'studio-room': 'ruang studio | photo studio, studio room, film studio, softbox',
  plain:
    ' | marketplace, online shop, olshop, shopee, tokopedia, lazada, blibli, bukalapak, zalora, amazon, tiktok shop, ecommerce, e-commerce',
  studio:
    'katalog, gradasi, kertas, latar studio, studio foto | studio, backdrop, catalog, catalogue, gradient, paper, spotlight, studio backdrop, photo studio',
  linen: 'kain, katun, kanvas, tekstil | linen, fabric, cloth, cotton, canvas, textile',
  concrete: 'beton, semen, plester, dinding, tembok | concrete, cement, plaster, wall',
  brick:
    'bata, batu bata, tembok bata, dinding bata, bata merah, batu bata merah, dinding bata merah, tembok bata merah | brick, brick wall, red brick, red brick wall',
  wood: 'kayu, papan, jati, papan kayu, dinding kayu | wood, wooden, plank, teak, wooden wall, wood wall',
  table:
    'meja, meja kayu, meja kayu jati, meja jati, meja makan, meja kafe, meja dapur, meja kerja kayu | table, wooden table, wood table, teak table, oak table, tabletop, table top, dining table, cafe table, kitchen table, wooden kitchen table, coffee table, wooden desk',
  curtain:
    'tirai, gorden, beludru, sutra, kain beludru, kain sutra, kain satin | curtain, drape, velvet, silk, satin, velvet fabric, velvet cloth, silk fabric, satin fabric',
  'window-light':
    'cahaya jendela, kerai, tirai bambu, bayangan daun, bayangan jendela, jendela | window light, blinds, leaf shadow, window shadow, window',
  batik: 'batik, kawung, parang, motif batik, kain batik | ',
}

/** Locations that also show the words, after those of {@link sceneWords}. */
export const secondWords: { [Id in LocationId]?: string } = {
  sunrise:
    'taman, park, rumput, grass, meadow, padang rumput, lapangan, field, langit, sky, alam, nature, alam terbuka, outdoors, hijau alami, alam hijau',
  beach: 'pasir, ombak, sand, wave',
  'beach-sunset': `${seaWords}, pasir putih, pasir pantai, white sand`,
  sunset: 'waterfront, teluk, bay, langit, sky',
  apartment: 'jendela, window, sinar matahari, sunlight',
  venice: 'senja, dusk, twilight',
  park: 'alam, nature, alam terbuka, outdoors, pedesaan, countryside, langit, sky, langit biru, blue sky',
  forest: 'tanaman, plant, alam terbuka, outdoors',
  hall: 'tirai putih',
}

/** Times of day and weather that a location shows: they choose among locations of equal words. */
export const timeWords: { [Id in LocationId]?: string } = {
  sunrise:
    'pagi, morning, matahari terbit, sunrise, fajar, dawn, keemasan, golden hour, sore, matahari terbenam, matahari tenggelam, sunset, kabut pagi, morning mist, kabut, mist, misty, fog, foggy, berkabut',
  sunset:
    'sore, evening, afternoon, petang, magrib, maghrib, senja, dusk, twilight, sunset, matahari terbenam, matahari tenggelam, terbenam, tenggelam, golden hour',
  'beach-sunset':
    'sore, evening, afternoon, petang, magrib, maghrib, senja, dusk, twilight, sunset, matahari terbenam, matahari tenggelam, terbenam, tenggelam, golden hour, keemasan, matahari terbit, sunrise, fajar, dawn, subuh',
  venice: 'petang, senja, dusk, twilight, blue hour',
  'cafe-terrace': 'sore, evening, petang, magrib, maghrib, senja, dusk, twilight, blue hour',
  'rice-field': 'matahari terbit, sunrise, matahari terbenam, matahari tenggelam, sunset, senja',
  dawn: 'fajar, dawn, subuh',
  night: 'malam, night, tengah malam, midnight',
}

export type Setting = 'indoors' | 'outdoors'

interface SettingOfPlaces {
  /** Words that choose among locations as times of day do. */
  words: string
  /** Surroundings that no scene shows, where the most similar locations are of both settings. */
  absent: string
  locations: readonly LocationId[]
}

const indoorLocations: readonly LocationId[] = [
  'lobby',
  'apartment',
  'esplanade',
  'hall',
  'bridge',
  'lab',
  'workshop',
  'warehouse',
  'studio-room',
]

export const settings: Readonly<Record<Setting, SettingOfPlaces>> = {
  indoors: {
    words: 'dalam ruangan, didalam ruangan, ruangan tertutup, interior | indoor, indoors',
    absent:
      'mobil interior, interior mobil, dalam mobil, museum, galeri, teater, bioskop, klub malam, diskotik | car interior, gallery, theatre, theater, auditorium, cinema, nightclub, discotheque, disco, karaoke, supermarket, grocery store, department store, spa, salon',
    locations: indoorLocations,
  },
  outdoors: {
    words: 'luar ruangan, diluar ruangan, ruangan terbuka, alam terbuka | outdoor, outdoors, outside',
    absent:
      'teras, beranda, balkon, pekarangan, depan rumah, atap gedung, pasar malam, kaki lima, angkringan, lapak, jembatan, jalan tol, halte, landasan, rel kereta, tempat parkir, pom bensin, zebra cross, lampu kota, kota malam, kota di malam hari, gedung tinggi, gedung pencakar langit, cakrawala kota, hujan, badai, banjir, candi, borobudur, prambanan, monas, menara, benteng, kastil, reruntuhan, monumen, karnaval, kembang api, proyek bangunan, tambang, tempat sampah, kolam renang | terrace, patio, porch, veranda, balcony, courtyard, rooftop, night market, bridge, viaduct, highway, railway, railroad, bus stop, airfield, runway, parking lot, driveway, crosswalk, gas station, petrol station, racetrack, raceway, city lights, skyscraper, skyline, rain, rainy, storm, flood, tower, castle, fortress, ruin, arch, aqueduct, monument, carnival, parade, construction site, excavation, quarry, mine, landfill, junkyard, storefront, shopfront, swimming pool',
    locations: locationIds.filter((id) => !indoorLocations.includes(id)),
  },
}

/** Words that only these scenes and drawn surfaces can show; others are in daylight. */
export const nightWords =
  'pasar malam, night market, malam, night, tengah malam, midnight, isya, stars, starry, starry sky, berbintang, langit berbintang, malam berbintang, langit malam, night sky'
export const nightLocations: readonly LocationId[] = [
  'night',
  'cafe-terrace',
  'esplanade',
  'hall',
  'warehouse',
  'studio-room',
  'lobby',
]
/** Twilight: nearer to the night than daylight is. */
export const duskLocations: readonly LocationId[] = ['venice', 'sunset', 'beach-sunset', 'dawn']

/** Surroundings that no scene shows, after the three most similar locations. */
export const absentLocations: { [Id in `${LocationId} ${LocationId} ${LocationId}`]?: string } = {
  'esplanade cafe-terrace apartment':
    'kafe, kopi, ngopi, kedai, kedai kopi, warung kopi, warkop, restoran, resto, rumah makan, warteg, angkringan, lesehan, kantin, toko roti, toko kue, penginapan | cafe, café, starbucks, coffee, coffee shop, restaurant, bar, pub, bistro, bakery, cafeteria, canteen, diner, pizzeria, food court, foodcourt, delicatessen, ice cream parlor, inn, motel, hostel',
  'beach beach-sunset venice':
    'pelabuhan, pulau, kapal, perahu, bawah laut, bawah air, dalam air, dasar laut, laut dalam, terumbu, terumbu karang, tebing, mercusuar, akuarium | harbour, harbor, deep sea, seabed, island, islet, boat, ship, yacht, raft, underwater, coral reef, coral, cliff, lighthouse, boardwalk, promenade, lagoon, boathouse, aquarium, oil rig, oilrig',
  'venice forest park':
    'danau, telaga, waduk, bendungan, sungai, rawa, kolam, kolam ikan, air terjun, air mancur, air panas, pemandian, kolam renang, kanal | lake, river, creek, stream, swamp, marsh, dam, moat, pond, fishpond, waterfall, fountain, hot spring, jacuzzi, swimming pool, swimming hole, watering hole, pool, water park, waterpark, canal, gondola',
  'rice-field park sunrise':
    'terasering, kebun, kebun teh, perkebunan, kebun anggur, kebun sayur, peternakan, kandang, lumbung, kincir angin, rumah kaca, kebun binatang, desa, kampung, kampung halaman, bukit hijau, bukit teletubbies | rice terrace, tea plantation, plantation, orchard, vineyard, vegetable garden, farm, barn, stable, pasture, hayfield, corn field, cornfield, windmill, greenhouse, zoo, village, ranch, grassy hill, green hill, rolling hill',
  'park forest sunrise':
    'bunga, ladang lavender, kebun bunga, taman bunga, taman jepang, kebun raya, sakura, taman bermain, taman hiburan, komidi putar | flower, lavender field, flower garden, botanical garden, japanese garden, zen garden, cherry blossom, playground, sandbox, amusement park, theme park, carousel, gazebo',
  'forest park sunrise':
    'tropis, bambu, musim gugur, daun gugur, berkemah, perkemahan, tenda, kabin, pondok, rumah pohon, kuburan, pemakaman, makam | tropical, bamboo, autumn, autumn leaves, rainforest, camping, campsite, tent, cabin, cottage, chalet, lodge, hunting lodge, tree house, treehouse, cemetery, graveyard',
  'esplanade workshop city':
    'pasar, bazar, pasar malam, warung, toko, toko baju, minimarket, mini market, swalayan, indomaret, alfamart, butik, distro, apotek, etalase, kios, ruko, lapak, kaki lima, pangkas rambut, binatu | market, night market, bazaar, shop, store, supermarket, grocery store, department store, boutique, salon, spa, pharmacy, drugstore, pet shop, showroom, storefront, shopfront, shop window, barbershop, laundry, laundromat, ticket booth, booth, stall, arcade',
  'hall sunset lobby':
    'masjid, musala, mushola, musholla, surau, gereja, katedral, pura, vihara, candi, klenteng, kuil, borobudur, prambanan, monas, menara, istana, keraton, kraton, benteng, kastil, reruntuhan, museum, galeri, monumen, teater, bioskop | mosque, church, cathedral, chapel, synagogue, temple, shrine, pagoda, mausoleum, tower, palace, castle, fortress, ruin, arch, aqueduct, amphitheater, amphitheatre, gallery, monument, theatre, theater, auditorium, cinema',
  'lobby lab hall':
    'perpustakaan, toko buku, kelas, ruang kelas, ruang kuliah, sekolah, kampus, universitas, asrama, pesantren, rak buku, papan tulis | library, archive, bookshop, bookstore, classroom, lecture room, school, schoolhouse, kindergarten, nursery, campus, university, dormitory, bookshelf, bookshelves, blackboard, whiteboard',
  'lobby bridge hall':
    'ruang kerja, meja kerja, ruang rapat, ruang meeting, ruang konferensi, ruang server, rumah sakit, klinik, puskesmas, ruang operasi, bank, pengadilan, kedutaan, kantor polisi, penjara | workspace, coworking, desk, meeting room, conference room, conference center, server room, hospital, nursing home, operating room, clinic, court, courthouse, embassy, parliament, police station, fire station, prison, jail, jail cell',
  'cafe-terrace apartment park': 'teras, beranda, pekarangan, depan rumah | terrace, patio, porch, veranda, courtyard',
  'apartment lobby esplanade':
    'dapur, ruang makan, ruang bermain, lantai, lantai keramik, kamar tidur, kamar mandi, kamar bayi, balkon, loteng, tangga, pintu, lemari, perapian, kasur, vila | kitchen, dining room, pantry, floor, tile floor, tiles, bedroom, bedchamber, bathroom, shower, sauna, playroom, balcony, loft, attic, mezzanine, atrium, stairs, staircase, doorway, door, closet, wardrobe, fireplace, sofa, bed, villa, mansion, elevator, lift, escalator',
  'bridge esplanade city':
    'bandara, stasiun, stasiun kereta, kereta, pesawat, mobil interior, interior mobil, dalam mobil, jembatan, terowongan, jalan tol, halte, landasan, rel kereta, tempat parkir, pom bensin, zebra cross | airport, airfield, runway, hangar, heliport, cockpit, station, subway, train, airplane, plane, bus, bus stop, car interior, terminal, bridge, viaduct, tunnel, highway, railway, railroad, parking lot, driveway, crosswalk, gas station, petrol station, racetrack, raceway',
  'dawn sky forest':
    'gumuk pasir, bukit pasir, gunung, pegunungan, salju, bersalju, musim dingin, es, gunung berapi, lembah, kawah, bromo, gua | dune, sand dune, mountain, valley, snow, snowy, winter, ice, glacier, iceberg, igloo, ski, ski resort, ski slope, tundra, volcano, crater, badlands, butte, crevasse, cave, grotto',
  'night sky dawn':
    'luar angkasa, ruang angkasa, angkasa, galaksi, planet, bulan, kembang api | space, outer space, galaxy, moon, aurora, fireworks',
  'esplanade city night':
    'lampu kota, kota malam, kota di malam hari, lampu malam, gedung tinggi, gedung pencakar langit, cakrawala kota, atap gedung, klub malam, diskotik, konser | city lights, neon, cyberpunk, skyscraper, skyline, rooftop, nightclub, discotheque, disco, concert, karaoke',
  'city forest bridge': 'hujan, badai, banjir | rain, rainy, storm, flood',
  'apartment lobby studio-room':
    'marmer, meja marmer, granit, batu alam, dinding batu, meja kaca, rotan, anyaman, karpet, akrilik, cermin | marble, marble table, granite, terrazzo, stone, stone wall, slate, glass table, rattan, wicker, carpet, rug, acrylic, mirror',
  'sunset city venice':
    'kota tua, gang sempit, jalan tua, kota eropa, pemukiman, perumahan, komplek perumahan | old town, alley, old street, european street, old european street, medina, kasbah, slum, neighborhood, neighbourhood, residential neighborhood',
  'esplanade night hall':
    'natal, imlek, lampion, karnaval, pesta, ulang tahun, balon, tahun baru | christmas, xmas, lunar new year, lantern, festival, carnival, parade, party, birthday, balloons, halloween, new year',
  'hall esplanade apartment':
    'ramadan, ramadhan, bulan ramadan, bulan puasa, buka puasa, lebaran, idul fitri, pernikahan, pelaminan, prewedding, akad nikah | eid, iftar, wedding, wedding stage, wedding aisle',
  'hall apartment workshop': 'joglo, pendopo, rumah adat, rumah gadang, rumah panggung | traditional house, pavilion',
  'hall warehouse park':
    'lapangan voli, lapangan tenis, stadion, gimnasium, lapangan basket, ring tinju | volleyball court, tennis court, stadium, gym, basketball court, arena, boxing ring, bullring, rodeo, racecourse, ball pit',
  'studio-room workshop hall':
    'studio seni, studio musik, studio rekaman, studio tari, studio yoga | art studio, music studio, recording studio, television studio, dance studio, yoga studio',
  'workshop warehouse city':
    'proyek bangunan, konstruksi, tambang, tempat sampah | construction site, assembly line, excavation, quarry, mine, landfill, junkyard, shed, loading dock, army base',
}

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
  {
    words: 'lampu, lights, lamp, bokeh',
    always: ['cafe-terrace', 'esplanade', 'hall', 'lobby', 'workshop', 'warehouse'],
  },
  { words: 'jendela, window', always: ['window-light', 'bridge', 'apartment', 'workshop', 'lab'] },
  { words: 'rumput, grass', always: ['park', 'sunrise'] },
  { words: 'orang, people, crowd, keramaian' },
  { words: 'lapangan, ladang, field, taman, garden, kamar, ruangan, room' },
]

/** Parts of places, surroundings (only these are reported), and uses: none is a second place. */
export const partWords = 'lantai, floor, dinding, tembok, wall, prewedding, prewed, industri, industrial'
export const besideWords =
  'jalan, road, street, rumah, house, home, pintu, door, terasering, rice terrace, lebaran, ramadan, ramadhan, idul fitri, eid, pernikahan, wedding'
export const useWords =
  'linkedin, cv, resume, lamaran, lamaran kerja, melamar kerja, job application, bisnis, business, profesional, professional, korporat, corporate, marketplace, online shop, olshop, shopee, tokopedia, lazada, blibli, bukalapak, zalora, amazon, tiktok shop, ecommerce, e-commerce'
/** Things that are sold, which stand for their surroundings only where no place follows. */
export const thingWords = 'kopi, ngopi, coffee, sofa, kasur, bed, makanan laut, hasil laut, ikan laut'

/** Surroundings that are seen above others. */
export const detailWords = 'langit, sky, awan, cloud, langit biru, blue sky, awan putih, white clouds, cloudy sky'

/** sRGB colours in daylight: Indonesian words, which follow their noun, and English words. */
export const colourWords: Readonly<Record<string, readonly [indonesian: string, english: string]>> = {
  '#b3262b': ['merah', 'red, crimson'],
  '#9c4a35': [
    'merah bata, terakota, bata merah, batu bata merah, dinding bata merah, tembok bata merah',
    'brick red, terracotta, red brick, red brick wall',
  ],
  '#7a1f2e': ['marun, merah tua, merah hati', 'maroon, burgundy, dark red'],
  '#e58fa5': ['merah muda, merah jambu', 'pink, dusty pink'],
  '#f2c9cf': [
    'pastel, pink muda, pink lembut, pink pastel',
    'pastel, baby pink, blush, light pink, soft pink, pastel pink',
  ],
  '#e3732f': ['oranye, jingga', 'orange'],
  '#f0b49a': ['persik, salem', 'peach'],
  '#e6b422': ['kuning', 'yellow'],
  '#c79a3a': ['emas', 'gold, golden, mustard'],
  '#4f8f4a': ['hijau, ijo, hijau daun, hijau neon', 'green, green screen, greenscreen, leaf green, neon green'],
  '#1f5a43': ['zamrud, hijau tua, hijau botol, hijau lumut, ijo tua, ijo botol', 'emerald, dark green, forest green'],
  '#9caf88': ['hijau muda, zaitun, hijau sage, hijau army', 'sage, olive, light green'],
  '#a9d8c3': ['tosca muda', 'mint'],
  '#2a9d96': [
    'hijau laut, tosca, toska, pirus, hijau tosca, hijau toska',
    'teal, turquoise, sea green, ocean green, seafoam',
  ],
  '#2f63b0': ['biru, biru laut, biru elektrik', 'blue, ocean blue, sea blue, royal blue, electric blue'],
  '#1c2f57': ['biru tua, dongker', 'navy, dark blue, indigo'],
  '#9cc3e6': ['biru muda, biru langit, biru pastel', 'light blue, baby blue, sky blue, soft blue, pastel blue'],
  '#c2367f': ['pink neon', 'magenta, fuchsia, hot pink, neon pink'],
  '#7451a8': ['ungu', 'purple, violet'],
  '#c0afe0': ['ungu muda, lila', 'lavender, lilac'],
  '#7a4f33': ['coklat, cokelat, coklat kopi, coklat kayu, coklat tanah', 'brown, mocha, coffee brown'],
  '#dcc9a6': ['krem, coksu, warna pasir', 'sand beige, sandy beige, beige, cream, khaki, nude'],
  '#e9e7e3': ['putih, putih gading, putih tulang', 'white, ivory, broken white, off white, off-white'],
  '#c9ccd0': ['abu muda, abu-abu muda', 'light grey, light gray, pale grey, pale gray'],
  '#4d5054': ['abu tua, abu-abu tua', 'dark grey, dark gray'],
  '#8b8e92': ['abu, abu-abu, kelabu, perak', 'grey, gray, silver'],
  '#26272b': ['hitam, item, arang', 'black, charcoal'],
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
  beach: `${blues}, ${neutral}, tosca, toska, turquoise, teal`,
  'beach-sunset': `${warm}, ${neutral}`,
  'cafe-terrace': `${neutral}, ${warm}`,
  'rice-field': `${greens}, ${warm}`,
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

type Mood = Partial<Pick<Wishes, 'warmth' | 'brightness' | 'drama' | 'blur' | 'sky'>>

/** Moods, times of day and weather, with their effect from −1 to 1, see `Wishes`. */
export const moodWords: readonly (readonly [Mood, string])[] = [
  [{ warmth: 0.7 }, 'hangat, warm, cozy, cosy, nyaman, lebaran, ramadan, ramadhan, keemasan'],
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
    'sore, evening, afternoon, petang, golden hour, senja, dusk, matahari terbenam, matahari tenggelam, terbenam, tenggelam, sunset',
  ],
  [{ brightness: -0.5, warmth: -0.1 }, 'malam, night'],
  [{ sky: 1 }, `${detailWords}, langit senja, langit sore, sunset sky, langit jingga, langit oranye, orange sky`],
  [{ brightness: 0.15 }, 'siang, day, daylight, noon, matahari, sun'],
]

/**
 * Words that negate what follows; words that extend the negation to the next noun, the second list
 * between alternatives.
 */
export const negations =
  'tanpa, bukan, jangan, jgn, tidak, tak, gak, ga, gk, gausah, kagak, hapus, hilangkan, hilangin, buang, remove, nggak, ngga, enggak, engga, ndak, kecuali, hindari, no, not, without, zero, never, dont, avoid, except'
export const conjunctions = 'dan, maupun, serta, and, nor'
export const alternatives = 'atau, or'

/** Words for the background as a whole: colours next to them apply to all of it. */
export const backgroundWords =
  'latar, latar belakang, background, bg, suasana, scene, warna, tema, theme, nuansa, tone, colour, color'

/** Words that ask for one even colour. */
export const plainWords =
  'polos, plain, solid, rata, pas foto, pasfoto, passport photo, id photo, ktp, sim, paspor, passport, visa, ijazah, skck, green screen, greenscreen'

/** Words that name nothing: those of grammar, and what every background has. */
export const fillerWords =
  'nongkrong, lg, gpp, vibes, terlalu, nya, blkg, usah, asri, adem, pas, ekspos, exposed, kaya, jd, kalo, klo, kak, min, gan, plz, plss, terus, trus, dlm, nothing, else, aja, cuma, cuman, doang, dong, deh, sih, nih, tuh, kok, ya, kan, pun, banget, bgt, sekali, sekitar, antara, sambil, agar, supaya, biar, karena, kalau, oleh, bagi, tersebut, sedang, sudah, udah, akan, bisa, boleh, harus, perlu, ingin, pengen, pengin, kasih, taruh, jadikan, gunakan, pake, kita, kami, kamu, lebih, paling, cukup, semua, beberapa, lain, sama, sebelah, samping, kiri, kanan, tengah, bawah, terlihat, tampak, kelihatan, gitu, gini, mirip, cahaya, pencahayaan, sinar, dgn, yg, utk, dr, pd, over, under, above, below, beneath, between, among, along, across, around, beside, next, through, into, onto, off, out, up, down, about, as, is, are, be, has, have, having, it, its, this, that, these, those, there, here, i, we, you, your, our, their, something, anything, somewhere, anywhere, any, more, most, much, many, few, little, bit, lot, kind, sort, type, whichever, whatever, which, where, when, while, look, looking, better, best, good, great, so, too, also, than, then, if, can, could, would, should, will, need, give, put, show, set, placed, use, lighting, seamless, feel, vibe, mood, di, ke, dari, dengan, yang, pada, untuk, saat, waktu, ketika, ini, itu, ada, sebuah, seperti, penuh, hari, depan, belakang, atas, berwarna, coloured, colored, gaya, ala, sangat, agak, sedikit, banyak, foto, gambar, produk, potret, bersih, saja, hanya, minimalis, modern, klasik, indah, cantik, bagus, keren, estetik, alami, a, an, the, in, on, at, of, with, to, for, by, from, very, some, during, behind, front, style, photo, picture, image, product, portrait, clean, just, only, simple, minimalist, classic, beautiful, nice, aesthetic, natural, realistic, professional photo, high quality, hd, 4k, industrial, industri, rustic, rustik, boho, besar, kecil, luas, tinggi, big, large, small, wide, cerah berawan, cloudy, berawan, mendung, kosong, empty, tua, old, baru, new, ramai, sepi, quiet, kayak, like, dalam, inside, luar, tepi, pinggir, dekat, near, my, me, saya, aku, buat, bikin, ganti, make, change, tempat, place, ruang, view, pemandangan, lagi, jadi, full, hari ini, cantik sekali, profil, profile, headshot, jualan, dagangan, musim, season, berdiri, standing, duduk, sitting, falling, giant, raksasa, tall, lush, rindang, lebat, rimbun, keras, hard, muda, pale, murni, pure, deep, pakai, memakai, using, mau, want, tolong, please, ukuran, size, kos, kost, habis, sehabis, setelah, sebelum, after, before, kekinian, online, via, cocok, bernuansa, tampilan, sebagai, minimal, texture, tekstur'
