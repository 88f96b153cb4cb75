/** `npm run docs` writes these lists, from tools/dates/. A line ends with a phrase, already folded. */

/** The unit, how many of them ago, and the phrase. */
export const FIXED = `
day 0 today
day 1 yesterday
week 0 this week
week 1 last week
month 0 this month
month 1 last month
year 0 this year
year 1 last year
day 2 the day before yesterday
day 2 day before yesterday
week 2 week before last
week 2 week before last week
month 2 month before last
month 2 month before last month
year 2 year before last
year 2 year before last year
day 0 heute
day 1 gestern
day 2 vorgestern
week 0 diese woche
week 1 letzte woche
month 0 diesen monat
month 1 letzten monat
year 0 dieses jahr
year 1 letztes jahr
month 1 letzter monat
month 0 dieser monat
week 1 vorige woche
week 1 vergangene woche
week 1 letzter woche
week 1 letzten woche
year 1 letzten jahr
year 1 voriges jahr
year 1 vergangenes jahr
month 1 vorigen monat
day 0 aujourd'hui
day 1 hier
day 2 avant-hier
week 0 cette semaine
week 1 la semaine dernière
month 0 ce mois-ci
month 1 le mois dernier
year 0 cette année
year 1 l'année dernière
day 2 avant hier
week 1 semaine dernière
month 1 mois dernier
year 1 an dernier
year 1 année dernière
day 0 hoy
day 1 ayer
day 2 anteayer
week 0 esta semana
week 1 la semana pasada
month 0 este mes
month 1 el mes pasado
year 0 este año
year 1 el año pasado
day 2 antes de ayer
day 3 antes de anteayer
week 1 semana pasada
month 1 mes pasado
year 1 año pasado
day 0 hoje
day 1 ontem
day 2 anteontem
week 1 semana passada
month 0 este mês
month 1 mês passado
year 0 este ano
year 1 ano passado
day 2 antes de ontem
day 3 antes de anteontem
day 0 oggi
day 1 ieri
day 2 l'altro ieri
week 0 questa settimana
week 1 settimana scorsa
month 0 questo mese
month 1 mese scorso
year 0 quest'anno
year 1 anno scorso
day 2 altro ieri
day 2 ieri l'altro
day 2 avant'ieri
day 0 vandaag
day 1 gisteren
day 2 eergisteren
week 0 deze week
week 1 vorige week
month 0 deze maand
month 1 vorige maand
year 0 dit jaar
year 1 vorig jaar
day 0 dzisiaj
day 1 wczoraj
day 2 przedwczoraj
week 0 w tym tygodniu
week 1 w zeszłym tygodniu
month 0 w tym miesiącu
month 1 w zeszłym miesiącu
year 0 w tym roku
year 1 w zeszłym roku
week 1 tydzień temu
month 1 miesiąc temu
year 1 rok temu
day 0 dziś
day 0 сегодня
day 1 вчера
day 2 позавчера
week 0 на этой неделе
week 1 на прошлой неделе
month 0 в этом месяце
month 1 в прошлом месяце
year 0 в этом году
year 1 в прошлом году
week 1 неделю назад
month 1 месяц назад
year 1 год назад
day 0 bugün
day 1 dün
day 2 evvelsi gün
week 0 bu hafta
week 1 geçen hafta
month 0 bu ay
month 1 geçen ay
year 0 bu yil
year 1 geçen yil
day 2 evvelki gün
year 1 geçen sene
day 0 اليوم
day 1 أمس
day 2 أول أمس
day 1 قبل يوم واحد
day 2 قبل يومين
week 0 هذا الأسبوع
week 1 الأسبوع الماضي
week 2 قبل أسبوعين
week 1 قبل أسبوع واحد
month 0 هذا الشهر
month 1 الشهر الماضي
month 2 قبل شهرين
month 1 قبل شهر واحد
year 0 السنة الحالية
year 1 السنة الماضية
year 2 قبل سنتين
year 1 قبل سنة واحدة
day 1 البارحة
day 2 أول من أمس
day 2 قبل أمس
day 2 أمس الأول
year 1 العام الماضي
week 1 قبل أسبوع
month 1 قبل شهر
year 1 قبل سنة
day 0 आज
day 1 कल
day 2 परसों
week 0 इस सप्ताह
week 1 पिछला सप्ताह
month 0 इस माह
month 1 पिछला माह
year 0 इस वर्ष
year 1 पिछला वर्ष
week 1 पिछले हफ़्ते
week 1 पिछले सप्ताह
month 1 पिछले महीने
year 1 पिछले साल
day 0 今日
day 1 昨日
day 2 一昨日
week 0 今週
week 1 先週
month 0 今月
month 1 先月
year 0 今年
year 1 昨年
day 2 おととい
day 3 さきおととい
day 3 一昨昨日
week 2 先々週
month 2 先々月
year 2 一昨年
year 2 おととし
day 1 きのう
year 1 去年
day 0 今天
day 1 昨天
day 2 前天
week 0 本周
week 1 上周
month 0 本月
month 1 上个月
day 3 大前天
week 2 上上周
week 2 上上週
week 2 上上星期
week 2 上上个星期
week 2 上上個星期
month 2 上上个月
month 2 上上個月
month 2 上上月
week 1 上个星期
week 1 上個星期
week 1 上星期
week 1 上週
month 1 上個月
month 1 上月
day 0 오늘
day 1 어제
day 2 그저께
week 0 이번 주
week 0 이번주
week 1 지난주
month 0 이번 달
month 0 이번달
month 1 지난달
year 0 올해
year 1 작년
day 2 엊그제
day 2 엊그저께
week 2 지지난주
month 2 지지난달
year 2 재작년
year 1 지난해
`

/** The unit, and the phrase with `#` for the number. */
export const COUNTED = `
day # day ago
day # days ago
week # week ago
week # weeks ago
month # month ago
month # months ago
year # year ago
year # years ago
day vor # tag
day vor # tagen
week vor # woche
week vor # wochen
month vor # monat
month vor # monaten
year vor # jahr
year vor # jahren
day il y a # jour
day il y a # jours
week il y a # semaine
week il y a # semaines
month il y a # mois
year il y a # an
year il y a # ans
day hace # día
day hace # días
week hace # semana
week hace # semanas
month hace # mes
month hace # meses
year hace # año
year hace # años
day há # dia
day há # dias
week há # semana
week há # semanas
month há # mês
month há # meses
year há # ano
year há # anos
day # dias atrás
week # semanas atrás
month # meses atrás
year # anos atrás
day # giorno fa
day # giorni fa
week # settimana fa
week # settimane fa
month # mese fa
month # mesi fa
year # anno fa
year # anni fa
day # dag geleden
day # dagen geleden
week # week geleden
week # weken geleden
month # maand geleden
month # maanden geleden
year # jaar geleden
day # dzień temu
day # dni temu
week # tydzień temu
week # tygodnie temu
week # tygodni temu
month # miesiąc temu
month # miesiące temu
month # miesięcy temu
year # rok temu
year # lata temu
year # lat temu
day # день назад
day # дня назад
day # дней назад
week # неделю назад
week # недели назад
week # недель назад
month # месяц назад
month # месяца назад
month # месяцев назад
year # год назад
year # года назад
year # лет назад
day # gün önce
week # hafta önce
month # ay önce
year # yil önce
day قبل # أيام
day قبل # يومًا
week قبل # أسابيع
week قبل # أسبوعًا
month قبل # أشهر
month قبل # شهرًا
year قبل # سنوات
year قبل # سنة
day # दिन पहले
week # सप्ताह पहले
month # माह पहले
year # वर्ष पहले
week # हफ़्ते पहले
month # महीने पहले
year # साल पहले
day # 日前
day #日前
week # 週間前
week #週間前
month # か月前
month #か月前
year # 年前
year #年前
month #ヶ月前
month #カ月前
month #ヵ月前
day #天前
week #周前
month #个月前
month #個月前
week #个星期前
day #일 전
day #일전
week #주 전
week #주전
month #개월 전
month #개월전
year #년 전
year #년전
month # 달 전
month #달전
`

/** Numbers in words. */
export const NUMBERS = `
1 a
1 an
1 one
2 two
3 three
4 four
5 five
6 six
7 seven
8 eight
9 nine
10 ten
11 eleven
12 twelve
1 einem
1 einer
2 zwei
3 drei
4 vier
5 fünf
6 sechs
7 sieben
8 acht
9 neun
10 zehn
11 elf
12 zwölf
1 un
1 une
2 deux
3 trois
4 quatre
5 cinq
7 sept
8 huit
9 neuf
10 dix
11 onze
12 douze
1 una
2 dos
3 tres
4 cuatro
5 cinco
6 seis
7 siete
8 ocho
9 nueve
10 diez
11 once
12 doce
1 um
1 uma
2 dois
2 duas
3 três
4 quatro
7 sete
8 oito
9 nove
10 dez
12 doze
2 due
3 tre
4 quattro
5 cinque
6 sei
7 sette
8 otto
10 dieci
11 undici
12 dodici
1 een
1 één
2 twee
3 drie
5 vijf
6 zes
7 zeven
9 negen
10 tien
12 twaalf
1 jeden
1 jedną
2 dwa
2 dwie
3 trzy
4 cztery
5 pięć
6 sześć
7 siedem
8 osiem
9 dziewięć
10 dziesięć
11 jedenaście
12 dwanaście
1 один
1 одну
2 два
2 две
3 три
4 четыре
5 пять
6 шесть
7 семь
8 восемь
9 девять
10 десять
11 одиннадцать
12 двенадцать
1 bir
2 iki
3 üç
4 dört
5 beş
6 altı
7 yedi
8 sekiz
9 dokuz
10 on
11 onbir
12 oniki
1 واحد
1 واحدة
2 اثنين
2 اثنتين
3 ثلاثة
3 ثلاث
4 أربعة
4 أربع
5 خمسة
5 خمس
6 ستة
6 ست
7 سبعة
7 سبع
8 ثمانية
8 ثماني
9 تسعة
9 تسع
10 عشرة
10 عشر
1 एक
2 दो
3 तीन
4 चार
5 पाँच
5 पांच
6 छह
6 छः
7 सात
8 आठ
9 नौ
10 दस
11 ग्यारह
12 बारह
1 一
2 二
3 三
4 四
5 五
6 六
7 七
8 八
9 九
10 十
11 十一
12 十二
2 两
2 兩
1 한
1 일
2 두
2 이
3 세
3 삼
4 네
4 사
5 다섯
5 오
6 여섯
6 육
7 일곱
7 칠
8 여덟
8 팔
9 아홉
9 구
10 열
10 십
11 열한
11 십일
12 열두
12 십이
`

/** Months, from 0, with their language and whole name. */
export const MONTHS = `
0 en january
1 en february
2 en march
3 en april
4 en may
5 en june
6 en july
7 en august
8 en september
9 en october
10 en november
11 en december
0 de januar
1 de februar
2 de märz
3 de april
4 de mai
5 de juni
6 de juli
7 de august
8 de september
9 de oktober
10 de november
11 de dezember
0 fr janvier
1 fr février
2 fr mars
3 fr avril
4 fr mai
5 fr juin
6 fr juillet
7 fr août
8 fr septembre
9 fr octobre
10 fr novembre
11 fr décembre
0 es enero
1 es febrero
2 es marzo
3 es abril
4 es mayo
5 es junio
6 es julio
7 es agosto
8 es septiembre
9 es octubre
10 es noviembre
11 es diciembre
0 pt janeiro
1 pt fevereiro
2 pt março
3 pt abril
4 pt maio
5 pt junho
6 pt julho
7 pt agosto
8 pt setembro
9 pt outubro
10 pt novembro
11 pt dezembro
0 it gennaio
1 it febbraio
2 it marzo
3 it aprile
4 it maggio
5 it giugno
6 it luglio
7 it agosto
8 it settembre
9 it ottobre
10 it novembre
11 it dicembre
0 nl januari
1 nl februari
2 nl maart
3 nl april
4 nl mei
5 nl juni
6 nl juli
7 nl augustus
8 nl september
9 nl oktober
10 nl november
11 nl december
0 pl styczeń
1 pl luty
2 pl marzec
3 pl kwiecień
4 pl maj
5 pl czerwiec
6 pl lipiec
7 pl sierpień
8 pl wrzesień
9 pl październik
10 pl listopad
11 pl grudzień
0 pl stycznia
1 pl lutego
2 pl marca
3 pl kwietnia
4 pl maja
5 pl czerwca
6 pl lipca
7 pl sierpnia
8 pl września
9 pl października
10 pl listopada
11 pl grudnia
0 pl styczniu
1 pl lutym
2 pl marcu
3 pl kwietniu
4 pl maju
5 pl czerwcu
6 pl lipcu
7 pl sierpniu
8 pl wrześniu
9 pl październiku
10 pl listopadzie
11 pl grudniu
0 ru январь
1 ru февраль
2 ru март
3 ru апрель
4 ru май
5 ru июнь
6 ru июль
7 ru август
8 ru сентябрь
9 ru октябрь
10 ru ноябрь
11 ru декабрь
0 ru января
1 ru февраля
2 ru марта
3 ru апреля
4 ru мая
5 ru июня
6 ru июля
7 ru августа
8 ru сентября
9 ru октября
10 ru ноября
11 ru декабря
0 ru январе
1 ru феврале
2 ru марте
3 ru апреле
4 ru мае
5 ru июне
6 ru июле
7 ru августе
8 ru сентябре
9 ru октябре
10 ru ноябре
11 ru декабре
0 tr ocak
1 tr şubat
2 tr mart
3 tr nisan
4 tr mayis
5 tr haziran
6 tr temmuz
7 tr ağustos
8 tr eylül
9 tr ekim
10 tr kasim
11 tr aralik
0 tr ocakta
1 tr şubatta
2 tr martta
3 tr nisanda
4 tr mayista
5 tr haziranda
6 tr temmuzda
7 tr ağustosta
8 tr eylülde
9 tr ekimde
10 tr kasimda
11 tr aralikta
0 ar يناير
1 ar فبراير
2 ar مارس
3 ar أبريل
4 ar مايو
5 ar يونيو
6 ar يوليو
7 ar أغسطس
8 ar سبتمبر
9 ar أكتوبر
10 ar نوفمبر
11 ar ديسمبر
0 hi जनवरी
1 hi फ़रवरी
2 hi मार्च
3 hi अप्रैल
4 hi मई
5 hi जून
6 hi जुलाई
7 hi अगस्त
8 hi सितंबर
9 hi अक्टूबर
10 hi नवंबर
11 hi दिसंबर
`

/** Months with a short name, which other languages may use for other words. */
export const SHORT_MONTHS = `
0 en jan
1 en feb
2 en mar
3 en apr
5 en jun
6 en jul
7 en aug
8 en sep
9 en oct
10 en nov
11 en dec
8 en sept
0 de jan
1 de feb
3 de apr
7 de aug
8 de sept
9 de okt
10 de nov
11 de dez
0 fr janv
1 fr févr
3 fr avr
6 fr juil
8 fr sept
9 fr oct
10 fr nov
11 fr déc
0 es ene
1 es feb
2 es mar
3 es abr
4 es may
5 es jun
6 es jul
7 es ago
8 es sept
9 es oct
10 es nov
11 es dic
0 pt jan
1 pt fev
2 pt mar
3 pt abr
4 pt mai
5 pt jun
6 pt jul
7 pt ago
8 pt set
9 pt out
10 pt nov
11 pt dez
0 it gen
1 it feb
2 it mar
3 it apr
4 it mag
5 it giu
6 it lug
7 it ago
8 it set
9 it ott
10 it nov
11 it dic
0 nl jan
1 nl feb
2 nl mrt
3 nl apr
5 nl jun
6 nl jul
7 nl aug
8 nl sep
9 nl okt
10 nl nov
11 nl dec
0 pl sty
1 pl lut
2 pl mar
3 pl kwi
5 pl cze
6 pl lip
7 pl sie
8 pl wrz
9 pl paź
10 pl lis
11 pl gru
0 ru янв
1 ru февр
2 ru мар
3 ru апр
5 ru июн
6 ru июл
7 ru авг
8 ru сент
9 ru окт
10 ru нояб
11 ru дек
0 tr oca
1 tr şub
2 tr mar
3 tr nis
4 tr may
5 tr haz
6 tr tem
7 tr ağu
8 tr eyl
9 tr eki
10 tr kas
11 tr ara
0 hi जन
1 hi फ़र
6 hi जुल
7 hi अग
8 hi सित
9 hi अक्टू
10 hi नव
11 hi दिस
`
