/*
 * Keeps a game server listed in GSLS: see gsls.h. In order: texts, UTF-8, JSON, headers, the system, answers, the
 * transport of libcurl, and the announcement, with the rules of docs/write-a-client.md. All that comes from outside is
 * bounded, and made printable before a person sees it.
 */
#if !defined(_WIN32) && !defined(_POSIX_C_SOURCE)
#define _POSIX_C_SOURCE 200809L
#endif
#if defined(_MSC_VER) && !defined(_CRT_SECURE_NO_WARNINGS)
#define _CRT_SECURE_NO_WARNINGS
#endif

#include "gsls.h"

#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#ifndef GSLS_NO_CURL
#include <curl/curl.h>
#endif

#ifdef _WIN32
/* The others need it. */
#include <windows.h>

#include <bcrypt.h>
#include <sddl.h>
#else
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#endif

/* ---- Texts ---- */

/** Bytes that grow, always ended by a NUL. All zeros is an empty one. */
struct text {
  char *data;
  size_t size;
  size_t capacity;
  bool failed; /**< There was no memory for all of it. */
};

static const char *text_of(const struct text *text) { return text->data == NULL ? "" : text->data; }

static void text_add(struct text *text, const char *data, size_t size) {
  if (text->failed) return;
  if (text->capacity - text->size <= size) {
    const size_t capacity = 2 * text->size + size + 64;
    char *grown = capacity < size ? NULL : (char *)realloc(text->data, capacity);
    if (grown == NULL) {
      text->failed = true;
      return;
    }
    text->data = grown;
    text->capacity = capacity;
  }
  if (size > 0) memcpy(text->data + text->size, data, size);
  text->size += size;
  text->data[text->size] = '\0';
}

static void text_put(struct text *text, const char *string) { text_add(text, string, strlen(string)); }

static void text_put_number(struct text *text, long number) {
  char digits[24];
  snprintf(digits, sizeof digits, "%ld", number);
  text_put(text, digits);
}

static void text_cut(struct text *text, size_t size) {
  if (text->size > size) {
    text->size = size;
    text->data[size] = '\0';
  }
}

/** Empties it, and keeps its memory. */
static void text_clear(struct text *text) {
  text_cut(text, 0);
  text->failed = false;
}

static void text_set(struct text *text, const char *string) {
  text_clear(text);
  text_put(text, string);
}

static void text_free(struct text *text) {
  free(text->data);
  memset(text, 0, sizeof *text);
}

/* ---- UTF-8 ---- */

#define NOT_UTF8 UINT32_MAX
#define REPLACEMENT 0xfffdu

/** The next code point, and moves on. NOT_UTF8, and one byte on, where it is none. */
static uint32_t utf8_next(const char **at, const char *end) {
  const unsigned char first = (unsigned char)**at;
  const int more = first < 0x80 ? 0 : first >= 0xc2 && first < 0xe0 ? 1 : (first & 0xf0) == 0xe0 ? 2 : 3;
  uint32_t code = more == 0 ? first : first & (0x3fu >> more);
  static const uint32_t LEAST[] = {0, 0x80, 0x800, 0x10000};
  const char *from = *at;
  *at += 1;
  if (first >= 0x80 && (first < 0xc2 || first > 0xf4)) return NOT_UTF8;
  if (end - from <= more) return NOT_UTF8;
  for (int i = 1; i <= more; i++) {
    const unsigned char next = (unsigned char)from[i];
    if ((next & 0xc0) != 0x80) return NOT_UTF8;
    code = code << 6 | (next & 0x3fu);
  }
  if (code < LEAST[more] || code > 0x10ffff || (code >= 0xd800 && code < 0xe000)) return NOT_UTF8;
  *at = from + 1 + more;
  return code;
}

static void utf8_put(struct text *out, uint32_t code) {
  char bytes[4];
  size_t size = 0;
  if (code < 0x80) {
    bytes[size++] = (char)code;
  } else {
    const int more = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
    static const unsigned char LEAD[] = {0, 0xc0, 0xe0, 0xf0};
    bytes[size++] = (char)(LEAD[more] | code >> (6 * more));
    for (int i = more - 1; i >= 0; i--) bytes[size++] = (char)(0x80 | (code >> (6 * i) & 0x3f));
  }
  text_add(out, bytes, size);
}

/** False if something was no UTF-8: it has become `?`, which the service takes as a part of a name. */
static bool utf8_put_repaired(struct text *out, const char *at, const char *end) {
  bool is_right = true;
  while (at < end) {
    const char *from = at;
    if (utf8_next(&at, end) != NOT_UTF8) {
      text_add(out, from, (size_t)(at - from));
    } else {
      text_put(out, "?");
      is_right = false;
    }
  }
  return is_right;
}

/** Control and format characters, and separators of lines: what begins a line, moves a cursor or turns a text. */
static bool is_no_text(uint32_t code) {
  static const uint32_t RANGES[][2] = {
      {0x00, 0x1f},     {0x7f, 0x9f},     {0xad, 0xad},     {0x600, 0x605},   {0x61c, 0x61c},     {0x180e, 0x180e},
      {0x200b, 0x200f}, {0x2028, 0x202e}, {0x2060, 0x206f}, {0xe000, 0xf8ff}, {0xfeff, 0xfeff},   {0xfff0, 0xfffb},
      {0xfffe, 0xffff}, {0xe0000, 0xe0fff}, {0xf0000, 0x10ffff},
  };
  for (size_t i = 0; i < sizeof RANGES / sizeof *RANGES; i++)
    if (code >= RANGES[i][0] && code <= RANGES[i][1]) return true;
  return false;
}

/** With all that is no text written like `\u{1b}`. */
static void text_put_printable(struct text *out, const char *string) {
  const char *end = string + strlen(string);
  while (string < end) {
    const char *from = string;
    const uint32_t code = utf8_next(&string, end);
    if (code == NOT_UTF8) {
      utf8_put(out, REPLACEMENT);
    } else if (is_no_text(code)) {
      char escaped[16];
      snprintf(escaped, sizeof escaped, "\\u{%lx}", (unsigned long)code);
      text_put(out, escaped);
    } else {
      text_add(out, from, (size_t)(string - from));
    }
  }
}

/* ---- JSON ---- */

/** How deep lists and objects may be in each other: what is deeper is no JSON here. */
#define JSON_LEVELS 64

/** A part of a text of JSON. */
struct json {
  const char *at;
  const char *end;
};

static struct json json_of(const char *data, size_t size) {
  struct json json;
  json.at = data;
  json.end = data + size;
  return json;
}

static void json_skip_space(struct json *in) {
  while (in->at < in->end && (*in->at == ' ' || *in->at == '\t' || *in->at == '\n' || *in->at == '\r')) in->at++;
}

static bool json_take(struct json *in, char wanted) {
  if (in->at == in->end || *in->at != wanted) return false;
  in->at++;
  return true;
}

static bool json_take_word(struct json *in, const char *word) {
  const size_t size = strlen(word);
  if ((size_t)(in->end - in->at) < size || memcmp(in->at, word, size) != 0) return false;
  in->at += size;
  return true;
}

static bool json_skip_digits(struct json *in) {
  const char *from = in->at;
  while (in->at < in->end && *in->at >= '0' && *in->at <= '9') in->at++;
  return in->at > from;
}

static bool json_skip_number(struct json *in) {
  json_take(in, '-');
  if (!json_take(in, '0') && !json_skip_digits(in)) return false;
  if (json_take(in, '.') && !json_skip_digits(in)) return false;
  if (json_take(in, 'e') || json_take(in, 'E')) {
    if (!json_take(in, '+')) json_take(in, '-');
    return json_skip_digits(in);
  }
  return true;
}

/** The four digits of an escape. */
static bool json_take_hex(struct json *in, uint32_t *unit) {
  *unit = 0;
  for (int i = 0; i < 4; i++) {
    static const char DIGITS[] = "0123456789abcdef0123456789ABCDEF";
    const char *digit = in->at < in->end && *in->at != '\0' ? strchr(DIGITS, *in->at) : NULL;
    if (digit == NULL) return false;
    *unit = *unit << 4 | ((uint32_t)(digit - DIGITS) & 15u);
    in->at++;
  }
  return true;
}

/** A text, into `out` unless that is NULL. There a NUL, half a character and what is no UTF-8 become U+FFFD. */
static bool json_take_string(struct json *in, struct text *out) {
  if (!json_take(in, '"')) return false;
  while (in->at < in->end && *in->at != '"') {
    uint32_t code;
    if ((unsigned char)*in->at < 0x20) return false;
    if (!json_take(in, '\\')) {
      code = utf8_next(&in->at, in->end);
    } else if (json_take(in, 'u')) {
      if (!json_take_hex(in, &code)) return false;
      struct json after = *in;
      uint32_t low;
      if (code >= 0xd800 && code < 0xdc00 && json_take_word(&after, "\\u") && json_take_hex(&after, &low) &&
          low >= 0xdc00 && low < 0xe000) {
        code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
        *in = after;
      }
    } else {
      static const char ESCAPES[] = "\"\\/bfnrt", MEANT[] = "\"\\/\b\f\n\r\t";
      const char *escape = in->at < in->end && *in->at != '\0' ? strchr(ESCAPES, *in->at) : NULL;
      if (escape == NULL) return false;
      code = (uint32_t)MEANT[escape - ESCAPES];
      in->at++;
    }
    const bool is_character = code != 0 && code != NOT_UTF8 && !(code >= 0xd800 && code < 0xe000);
    if (out != NULL) utf8_put(out, is_character ? code : REPLACEMENT);
  }
  return json_take(in, '"');
}

enum json_step { JSON_WRONG, JSON_END, JSON_MEMBER };

static bool json_skip_value(struct json *in, int levels);

/** The next member of an object; `in` is at its brace before the first one. */
static enum json_step json_next(struct json *in, struct json *name, struct json *value, int levels) {
  json_skip_space(in);
  const bool is_first = json_take(in, '{');
  if (is_first) json_skip_space(in);
  if (json_take(in, '}')) return JSON_END;
  if (!is_first && !json_take(in, ',')) return JSON_WRONG;
  json_skip_space(in);
  name->at = in->at;
  if (!json_take_string(in, NULL)) return JSON_WRONG;
  name->end = in->at;
  json_skip_space(in);
  if (!json_take(in, ':')) return JSON_WRONG;
  json_skip_space(in);
  value->at = in->at;
  if (!json_skip_value(in, levels)) return JSON_WRONG;
  value->end = in->at;
  return JSON_MEMBER;
}

static bool json_skip_list(struct json *in, int levels) {
  in->at++;
  json_skip_space(in);
  if (json_take(in, ']')) return true;
  do {
    json_skip_space(in);
    if (!json_skip_value(in, levels)) return false;
    json_skip_space(in);
  } while (json_take(in, ','));
  return json_take(in, ']');
}

/** The next item of a list; `in` is at its bracket before the first one. False behind the last one. */
static bool json_next_item(struct json *in, struct json *item) {
  json_skip_space(in);
  if (!json_take(in, '[') && !json_take(in, ',')) return false;
  json_skip_space(in);
  item->at = in->at;
  if (!json_skip_value(in, JSON_LEVELS)) return false;
  item->end = in->at;
  return true;
}

static bool json_skip_value(struct json *in, int levels) {
  if (in->at == in->end) return false;
  const char first = *in->at;
  if (first == '"') return json_take_string(in, NULL);
  if (first == '{' || first == '[') {
    if (levels == 0) return false;
    if (first == '[') return json_skip_list(in, levels - 1);
    struct json name, value;
    enum json_step step;
    do step = json_next(in, &name, &value, levels - 1);
    while (step == JSON_MEMBER);
    return step == JSON_END;
  }
  return json_take_word(in, "true") || json_take_word(in, "false") || json_take_word(in, "null") ||
         json_skip_number(in);
}

/** Whether the whole of it is one object of JSON. */
static bool json_is_object(struct json in) {
  json_skip_space(&in);
  if (in.at == in.end || *in.at != '{' || !json_skip_value(&in, JSON_LEVELS)) return false;
  json_skip_space(&in);
  return in.at == in.end;
}

/** The member of this name; of several, the last one. The object may still lack its end. */
static bool json_find(struct json object, const char *wanted, struct json *value) {
  struct json name, each;
  struct text decoded;
  bool is_found = false;
  memset(&decoded, 0, sizeof decoded);
  while (json_next(&object, &name, &each, JSON_LEVELS) == JSON_MEMBER) {
    text_clear(&decoded);
    json_take_string(&name, &decoded);
    if (decoded.failed || strcmp(text_of(&decoded), wanted) != 0) continue;
    *value = each;
    is_found = true;
  }
  text_free(&decoded);
  return is_found;
}

/** The text of this name. False if it is missing or something else. */
static bool json_find_string(struct json object, const char *wanted, struct text *out) {
  struct json value;
  text_clear(out);
  return json_find(object, wanted, &value) && json_take_string(&value, out) && !out->failed;
}

/** False if something was no UTF-8, and has become `?`. */
static bool json_put_string(struct text *out, const char *string) {
  const char *end = string + strlen(string);
  bool is_right = true;
  text_put(out, "\"");
  for (const char *from = string; string < end; from = string) {
    const unsigned char byte = (unsigned char)*string;
    if (byte == '"' || byte == '\\' || byte < 0x20) {
      char escaped[8];
      snprintf(escaped, sizeof escaped, byte < 0x20 ? "\\u%04x" : "\\%c", byte);
      text_put(out, escaped);
      string++;
    } else {
      const bool is_character = utf8_next(&string, end) != NOT_UTF8;
      text_add(out, is_character ? from : "?", is_character ? (size_t)(string - from) : 1);
      is_right = is_right && is_character;
    }
  }
  text_put(out, "\"");
  return is_right;
}

/* ---- What headers say ---- */

/** What a header can hold without harm: printable ASCII. */
static bool is_header_text(const char *text) {
  for (; *text != '\0'; text++)
    if (*text < ' ' || *text > '~') return false;
  return true;
}

static bool are_digits(const char *text, size_t most) {
  const size_t count = strspn(text, "0123456789");
  return count > 0 && count <= most && text[count] == '\0';
}

/** Server-Ping-Interval in ms; 0 if it is no number from 1 to 1,000,000. */
static uint64_t interval_of(const char *text) {
  char whole[8];
  const size_t count = strspn(text, "0123456789");
  uint64_t ms = 0, unit = 1000;
  if (count == 0 || count >= sizeof whole) return 0;
  memcpy(whole, text, count);
  whole[count] = '\0';
  ms = 1000 * (uint64_t)atol(whole);
  text += count;
  if (*text == '.') {
    if (!are_digits(text + 1, 20)) return 0;
    for (text++; *text != '\0'; text++) ms += (uint64_t)(*text - '0') * (unit /= 10);
  } else if (*text != '\0') {
    return 0;
  }
  return ms >= 1000 && ms <= 1000000000 ? ms : 0;
}

/** A date in each of the three forms of HTTP (RFC 9110, 5.6.7), in seconds since 1970; negative if it is none. */
static int64_t date_of(const char *text) {
  char name[4] = "";
  int day = 0, year = 0, hour = 0, minute = 0, second = 0, end = 0;
  static const char MONTHS[] = "JanFebMarAprMayJunJulAugSepOctNovDec";
  if (sscanf(text, "%*3[A-Za-z], %2d %3[A-Za-z] %4d %2d:%2d:%2d GMT%n", &day, name, &year, &hour, &minute, &second,
             &end) != 6 &&
      sscanf(text, "%*9[A-Za-z], %2d-%3[A-Za-z]-%2d %2d:%2d:%2d GMT%n", &day, name, &year, &hour, &minute, &second,
             &end) != 6 &&
      sscanf(text, "%*3[A-Za-z] %3[A-Za-z] %2d %2d:%2d:%2d %4d%n", name, &day, &hour, &minute, &second, &year,
             &end) != 6)
    return -1;
  if (year >= 0 && year < 100) year += year < 70 ? 2000 : 1900;
  const char *month = strlen(name) == 3 ? strstr(MONTHS, name) : NULL;
  if (end == 0 || text[end] != '\0' || month == NULL || (month - MONTHS) % 3 != 0) return -1;
  if (year < 1970 || day < 1 || day > 31 || hour < 0 || hour > 23 || minute < 0 || minute > 59 || second < 0 ||
      second > 60)
    return -1;
  /* Days since 1970, with years that begin in March: http://howardhinnant.github.io/date_algorithms.html */
  const int64_t of_month = (month - MONTHS) / 3 + 1;
  const int64_t y = of_month <= 2 ? year - 1 : year;
  const int64_t of_year = (153 * (of_month + (of_month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
  const int64_t days = 365 * y + y / 4 - y / 100 + y / 400 + of_year - 719468;
  return ((days * 24 + hour) * 60 + minute) * 60 + second;
}

#define LONGEST_RETRY_AFTER_MS 3600000

/** Retry-After in ms. A date counts from the Date of the same answer: no clock needs to be right. */
static uint64_t retry_after_of(const char *text, const char *date) {
  int64_t ms = 0;
  if (are_digits(text, 9)) {
    ms = 1000 * (int64_t)atol(text);
  } else if (date_of(text) >= 0) {
    const int64_t from = date_of(date);
    ms = 1000 * (date_of(text) - (from >= 0 ? from : (int64_t)time(NULL)));
  }
  return ms < 0 ? 0 : ms > LONGEST_RETRY_AFTER_MS ? LONGEST_RETRY_AFTER_MS : (uint64_t)ms;
}

/** What a service may be reached at: `http://` or `https://`, a host, perhaps a port and a path, and nothing else. */
static bool is_service_url(const char *url) {
  static const char *const SCHEMES[] = {"http://", "https://"};
  size_t skipped = 0;
  for (size_t i = 0; i < 2 && skipped == 0; i++) {
    size_t n = 0;
    while (SCHEMES[i][n] != '\0' && (url[n] == SCHEMES[i][n] || (url[n] | 0x20) == SCHEMES[i][n])) n++;
    if (SCHEMES[i][n] == '\0') skipped = n;
  }
  if (skipped == 0 || strlen(url) > 2048) return false;
  const char *end = url + strlen(url);
  for (const char *at = url; at < end;) {
    const uint32_t code = utf8_next(&at, end);
    if (code == ' ' || code == '?' || code == '#' || code == '\\' || code == NOT_UTF8 || is_no_text(code)) return false;
  }
  url += skipped;
  const bool is_ipv6 = *url == '[';
  const size_t host = is_ipv6 ? strspn(url + 1, "0123456789abcdefABCDEF:.") : strcspn(url, "/:@[]");
  if (host == 0 || (is_ipv6 && url[host + 1] != ']')) return false;
  url += is_ipv6 ? host + 2 : host;
  if (*url == ':') {
    const size_t port = strspn(url + 1, "0123456789");
    if (port == 0 || port > 5 || atol(url + 1) > 65535) return false;
    url += 1 + port;
  }
  return *url == '\0' || *url == '/';
}

/* ---- The system: randomness, a clock, a private file ---- */

#define MOST_TOKEN_BYTES 4096

#ifdef _WIN32

static bool system_random(void *context, unsigned char *bytes, size_t size) {
  (void)context;
  return BCryptGenRandom(NULL, bytes, (ULONG)size, BCRYPT_USE_SYSTEM_PREFERRED_RNG) >= 0;
}

static uint64_t system_now_ms(void) {
  LARGE_INTEGER now, in_a_second;
  QueryPerformanceCounter(&now);
  QueryPerformanceFrequency(&in_a_second);
  return (uint64_t)(now.QuadPart / (in_a_second.QuadPart / 1000));
}

static void system_sleep_ms(int ms) { Sleep((DWORD)ms); }

static void put_system_error(struct text *why, unsigned long code) {
  text_put(why, "error ");
  text_put_number(why, (long)code);
}

/** To be freed. NULL if it is no UTF-8. */
static wchar_t *wide_path(const char *path, const wchar_t *ending) {
  const int size = MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, path, -1, NULL, 0);
  wchar_t *wide = size <= 0 ? NULL : (wchar_t *)malloc(((size_t)size + wcslen(ending)) * sizeof *wide);
  if (wide == NULL) return NULL;
  MultiByteToWideChar(CP_UTF8, 0, path, -1, wide, size);
  wcscpy(wide + size - 1, ending);
  return wide;
}

/** What is in the file, nothing if there is none. False if it cannot be read: `why` says it. */
static bool file_read(const char *path, struct text *out, struct text *why) {
  wchar_t *wide = wide_path(path, L"");
  const DWORD sharing = FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE;
  HANDLE file =
      wide == NULL ? INVALID_HANDLE_VALUE : CreateFileW(wide, GENERIC_READ, sharing, NULL, OPEN_EXISTING, 0, NULL);
  DWORD error = wide == NULL ? ERROR_INVALID_NAME : GetLastError();
  free(wide);
  if (file == INVALID_HANDLE_VALUE) {
    if (error == ERROR_FILE_NOT_FOUND) return true;
    put_system_error(why, error);
    return false;
  }
  char bytes[MOST_TOKEN_BYTES + 1];
  DWORD size = 0;
  const bool is_read = GetFileType(file) == FILE_TYPE_DISK && ReadFile(file, bytes, sizeof bytes, &size, NULL);
  error = GetLastError();
  CloseHandle(file);
  if (is_read)
    text_add(out, bytes, size);
  else
    put_system_error(why, error);
  return is_read;
}

/** Rights for the user of this process and the system alone, nothing inherited. To be freed by LocalFree; NULL. */
static PSECURITY_DESCRIPTOR own_rights(void) {
  union {
    TOKEN_USER user;
    char bytes[sizeof(TOKEN_USER) + SECURITY_MAX_SID_SIZE];
  } own;
  PSECURITY_DESCRIPTOR rights = NULL;
  HANDLE token = NULL;
  wchar_t *user = NULL, list[256] = L"D:P(A;;FA;;;SY)(A;;FA;;;";
  DWORD size = 0;
  if (OpenProcessToken(GetCurrentProcess(), TOKEN_QUERY, &token)) {
    if (GetTokenInformation(token, TokenUser, &own, sizeof own, &size) &&
        ConvertSidToStringSidW(own.user.User.Sid, &user)) {
      wcscat(wcscat(list, user), L")");
      ConvertStringSecurityDescriptorToSecurityDescriptorW(list, SDDL_REVISION_1, &rights, NULL);
      LocalFree(user);
    }
    CloseHandle(token);
  }
  return rights;
}

/** Replaces the file as a whole by one that its user alone may use. False if it cannot: `why` says it. */
static bool file_write(const char *path, const char *data, struct text *why) {
  wchar_t *wide = wide_path(path, L""), *beside = wide_path(path, L".new");
  SECURITY_ATTRIBUTES security;
  memset(&security, 0, sizeof security);
  security.nLength = sizeof security;
  security.lpSecurityDescriptor = own_rights();
  bool is_kept = wide != NULL && beside != NULL && security.lpSecurityDescriptor != NULL;
  if (is_kept) {
    DeleteFileW(beside);
    HANDLE file = CreateFileW(beside, GENERIC_WRITE, 0, &security, CREATE_NEW, FILE_ATTRIBUTE_NORMAL, NULL);
    const DWORD size = (DWORD)strlen(data);
    DWORD written = 0;
    is_kept = file != INVALID_HANDLE_VALUE && WriteFile(file, data, size, &written, NULL) && written == size;
    if (file != INVALID_HANDLE_VALUE) CloseHandle(file);
    is_kept = is_kept && MoveFileExW(beside, wide, MOVEFILE_REPLACE_EXISTING);
  }
  if (!is_kept) {
    put_system_error(why, GetLastError());
    if (beside != NULL) DeleteFileW(beside);
  }
  LocalFree(security.lpSecurityDescriptor);
  free(wide);
  free(beside);
  return is_kept;
}

#else

static bool system_random(void *context, unsigned char *bytes, size_t size) {
  const int file = open("/dev/urandom", O_RDONLY | O_CLOEXEC);
  (void)context;
  if (file < 0) return false;
  while (size > 0) {
    const ssize_t got = read(file, bytes, size);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) break;
    bytes += got;
    size -= (size_t)got;
  }
  close(file);
  return size == 0;
}

static uint64_t system_now_ms(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

static void system_sleep_ms(int ms) {
  struct timespec pause;
  pause.tv_sec = ms / 1000;
  pause.tv_nsec = ms % 1000 * 1000000L;
  nanosleep(&pause, NULL);
}

/** What is in the file, nothing if there is none. False if it cannot be read: `why` says it. */
static bool file_read(const char *path, struct text *out, struct text *why) {
  char bytes[MOST_TOKEN_BYTES + 1];
  struct stat about;
  /* A pipe would block. */
  const int file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  if (file < 0) {
    if (errno == ENOENT) return true;
    text_put(why, strerror(errno));
    return false;
  }
  const bool is_file = fstat(file, &about) == 0 && S_ISREG(about.st_mode);
  const ssize_t size = is_file ? read(file, bytes, sizeof bytes) : -1;
  if (size >= 0)
    text_add(out, bytes, (size_t)size);
  else
    text_put(why, is_file ? strerror(errno) : "it is no file");
  close(file);
  return size >= 0;
}

/**
 * Replaces the file as a whole by one that its user alone may use. False if it cannot: `why` says it. Nothing waits
 * for the disk: what a power cut takes is claimed anew.
 */
static bool file_write(const char *path, const char *data, struct text *why) {
  struct text beside;
  const size_t size = strlen(data);
  bool is_kept = false;
  memset(&beside, 0, sizeof beside);
  text_put(&beside, path);
  text_put(&beside, ".new");
  unlink(text_of(&beside));
  const int file = open(text_of(&beside), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, S_IRUSR | S_IWUSR);
  if (file >= 0) {
    is_kept = write(file, data, size) == (ssize_t)size;
    is_kept = close(file) == 0 && is_kept && rename(text_of(&beside), path) == 0;
  }
  if (!is_kept) {
    text_put(why, strerror(errno));
    if (file >= 0) unlink(text_of(&beside));
  }
  text_free(&beside);
  return is_kept;
}

#endif

/* ---- Answers ---- */

#define MOST_BODY_BYTES 1048576
#define MOST_HEADER_BYTES 4096
/** The most bytes of all headers of an answer, before and behind it: libcurl keeps them, however many there are. */
#define MOST_HEADERS_BYTES 262144

enum header { OF_TOKEN, OF_INTERVAL, OF_RETRY_AFTER, OF_DATE, OF_LOCATION, OF_VERIFICATION, OF_JOIN_CODE, OF_BEACONS };

#define HEADERS 8

static const char *const HEADER_NAMES[HEADERS] = {"server-token",     "server-ping-interval", "retry-after",
                                                  "date",             "location",             "server-verification",
                                                  "server-join-code", "server-beacons"};

struct gsls_answer {
  int status;
  struct text headers[HEADERS];
  struct text body;
  struct text failure;
  size_t most_bytes;
  bool is_too_large;
};

static bool is_same_name(const char *name, const char *lower) {
  for (; *name != '\0' && *lower != '\0'; name++, lower++)
    if (*name != *lower && !(*name >= 'A' && *name <= 'Z' && (*name | 0x20) == *lower)) return false;
  return *name == *lower;
}

static void clear_headers(gsls_answer *answer) {
  for (int i = 0; i < HEADERS; i++) text_clear(&answer->headers[i]);
}

static void clear_answer(gsls_answer *answer) {
  clear_headers(answer);
  text_clear(&answer->body);
  text_clear(&answer->failure);
  answer->status = 0;
  answer->most_bytes = MOST_BODY_BYTES;
  answer->is_too_large = false;
}

void gsls_answer_status(gsls_answer *answer, int status) { answer->status = status; }

void gsls_answer_header(gsls_answer *answer, const char *name, const char *value) {
  size_t size;
  value += strspn(value, " \t");
  size = strlen(value);
  while (size > 0 && strchr(" \t\r\n", value[size - 1]) != NULL) size--;
  for (int i = 0; i < HEADERS; i++) {
    if (size > MOST_HEADER_BYTES || !is_same_name(name, HEADER_NAMES[i])) continue;
    text_clear(&answer->headers[i]);
    text_add(&answer->headers[i], value, size);
  }
}

bool gsls_answer_body(gsls_answer *answer, const void *data, size_t size) {
  if (answer->is_too_large || size > answer->most_bytes - answer->body.size) {
    answer->is_too_large = true;
    return false;
  }
  text_add(&answer->body, (const char *)data, size);
  return !answer->body.failed;
}

void gsls_answer_failure(gsls_answer *answer, const char *reason) { text_set(&answer->failure, reason); }

static void put_too_late(struct text *out, int timeout_ms) {
  char words[48];
  snprintf(words, sizeof words, "nothing came within %g s", timeout_ms / 1000.0);
  text_set(out, words);
}

/* ---- The transport of libcurl ---- */

#ifndef GSLS_NO_CURL

struct over_curl {
  CURLM *multi;
  CURL *easy; /**< NULL while nothing is under way. */
  struct curl_slist *headers;
  gsls_answer *answer;
  int timeout_ms;
  int sent; /**< How often the request was sent. */
  size_t header_bytes;
  char error[CURL_ERROR_SIZE];
};

static size_t curl_take_header(char *data, size_t one, size_t size, void *context) {
  struct over_curl *curl = (struct over_curl *)context;
  char line[MOST_HEADER_BYTES + 256];
  curl->header_bytes += size;
  if (curl->header_bytes > MOST_HEADERS_BYTES) {
    gsls_answer_failure(curl->answer, "the answer has more than 256 KiB of headers");
    return 0;
  }
  /* What came before, such as a 103, is not the answer. */
  if (size >= 5 && memcmp(data, "HTTP/", 5) == 0) clear_headers(curl->answer);
  if (size >= sizeof line || memchr(data, '\0', size) != NULL) return one * size;
  memcpy(line, data, size);
  line[size] = '\0';
  char *colon = strchr(line, ':');
  if (colon != NULL) {
    *colon = '\0';
    gsls_answer_header(curl->answer, line, colon + 1);
  }
  return one * size;
}

static size_t curl_take_body(char *data, size_t one, size_t size, void *context) {
  struct over_curl *curl = (struct over_curl *)context;
  return gsls_answer_body(curl->answer, data, size) ? one * size : 0;
}

#if LIBCURL_VERSION_NUM >= 0x075000
/** libcurl would send a request once more when a connection that was open ends before the answer. */
static int curl_send_once(void *context, char *to, char *from, int to_port, int from_port) {
  struct over_curl *curl = (struct over_curl *)context;
  (void)to, (void)from, (void)to_port, (void)from_port;
  curl->sent += 1;
  return curl->sent == 1 ? CURL_PREREQFUNC_OK : CURL_PREREQFUNC_ABORT;
}
#endif

static void curl_end(struct over_curl *curl) {
  if (curl->easy != NULL) {
    curl_multi_remove_handle(curl->multi, curl->easy);
    curl_easy_cleanup(curl->easy);
  }
  curl_slist_free_all(curl->headers);
  curl->easy = NULL;
  curl->headers = NULL;
}

static void curl_say_failure(struct over_curl *curl, CURLcode code) {
  long number = 0;
  if (curl->answer->failure.size > 0) return;
  curl_easy_getinfo(curl->easy, CURLINFO_OS_ERRNO, &number);
  switch (code) {
    case CURLE_COULDNT_RESOLVE_HOST:
      gsls_answer_failure(curl->answer, "the name of the host is not known");
      break;
    case CURLE_COULDNT_CONNECT:
      gsls_answer_failure(curl->answer, "no connection: ");
      text_put(&curl->answer->failure, number != 0 ? strerror((int)number) : curl_easy_strerror(code));
      break;
    case CURLE_OPERATION_TIMEDOUT:
      put_too_late(&curl->answer->failure, curl->timeout_ms);
      break;
    case CURLE_ABORTED_BY_CALLBACK:
    case CURLE_GOT_NOTHING:
    case CURLE_PARTIAL_FILE:
    case CURLE_RECV_ERROR:
    case CURLE_SEND_ERROR:
      gsls_answer_failure(curl->answer, "the connection was cut off");
      break;
    default:
      gsls_answer_failure(curl->answer, curl->error[0] != '\0' ? curl->error : curl_easy_strerror(code));
  }
}

static bool curl_start(void *context, const gsls_request *request, gsls_answer *answer) {
  struct over_curl *curl = (struct over_curl *)context;
  CURL *easy = curl->easy = curl_easy_init();
  bool is_ready = easy != NULL;
  curl->answer = answer;
  curl->timeout_ms = request->timeout_ms;
  curl->sent = 0;
  curl->header_bytes = 0;
  curl->error[0] = '\0';
  /* Without this one libcurl may wait for a 100 before it sends the body. */
  curl->headers = curl_slist_append(NULL, "Expect:");
  for (const char *const *line = request->headers; *line != NULL && is_ready; line++) {
    struct curl_slist *longer = curl_slist_append(curl->headers, *line);
    is_ready = longer != NULL;
    if (is_ready) curl->headers = longer;
  }
  if (is_ready) {
    curl_easy_setopt(easy, CURLOPT_URL, request->url);
#if LIBCURL_VERSION_NUM >= 0x075500
    curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "http,https");
#else
    curl_easy_setopt(easy, CURLOPT_PROTOCOLS, (long)(CURLPROTO_HTTP | CURLPROTO_HTTPS));
#endif
    curl_easy_setopt(easy, CURLOPT_FOLLOWLOCATION, 0L);
#if LIBCURL_VERSION_NUM >= 0x075700
    /* A name that is being looked up is given up at once. Older versions wait, and hold off SIGPIPE if they may. */
    curl_easy_setopt(easy, CURLOPT_QUICK_EXIT, 1L);
    curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
#endif
    curl_easy_setopt(easy, CURLOPT_TIMEOUT_MS, (long)request->timeout_ms);
    curl_easy_setopt(easy, CURLOPT_FRESH_CONNECT, request->fresh_connection ? 1L : 0L);
    curl_easy_setopt(easy, CURLOPT_TCP_KEEPALIVE, 1L);
    curl_easy_setopt(easy, CURLOPT_SSL_VERIFYPEER, request->insecure ? 0L : 1L);
    curl_easy_setopt(easy, CURLOPT_SSL_VERIFYHOST, request->insecure ? 0L : 2L);
    curl_easy_setopt(easy, CURLOPT_USERAGENT, "gsls-c/" GSLS_VERSION);
    curl_easy_setopt(easy, CURLOPT_HTTPHEADER, curl->headers);
    if (request->body_size > 0) {
      curl_easy_setopt(easy, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)request->body_size);
      curl_easy_setopt(easy, CURLOPT_POSTFIELDS, request->body);
    }
    /* Of a proxy, for CONNECT. */
    curl_easy_setopt(easy, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1L);
#if LIBCURL_VERSION_NUM >= 0x075000
    curl_easy_setopt(easy, CURLOPT_PREREQFUNCTION, curl_send_once);
    curl_easy_setopt(easy, CURLOPT_PREREQDATA, curl);
#endif
    curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, curl_take_header);
    curl_easy_setopt(easy, CURLOPT_HEADERDATA, curl);
    curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, curl_take_body);
    curl_easy_setopt(easy, CURLOPT_WRITEDATA, curl);
    curl_easy_setopt(easy, CURLOPT_ERRORBUFFER, curl->error);
    is_ready = curl_multi_add_handle(curl->multi, easy) == CURLM_OK;
  }
  if (!is_ready) {
    gsls_answer_failure(answer, "libcurl does not begin a request");
    curl_end(curl);
  }
  return is_ready;
}

static bool curl_is_over(void *context) {
  struct over_curl *curl = (struct over_curl *)context;
  int running = 0, queued = 0;
  curl_multi_perform(curl->multi, &running);
  for (CURLMsg *message; (message = curl_multi_info_read(curl->multi, &queued)) != NULL;) {
    if (message->msg != CURLMSG_DONE || message->easy_handle != curl->easy) continue;
    if (message->data.result == CURLE_OK) {
      long status = 0;
      curl_easy_getinfo(curl->easy, CURLINFO_RESPONSE_CODE, &status);
      gsls_answer_status(curl->answer, (int)status);
    } else {
      curl_say_failure(curl, message->data.result);
    }
    curl_end(curl);
    return true;
  }
  return false;
}

static void curl_cancel(void *context) { curl_end((struct over_curl *)context); }

static void curl_wait(void *context, int most_ms) {
  curl_multi_poll(((struct over_curl *)context)->multi, NULL, 0, most_ms, NULL);
}

static void curl_close(void *context) {
  struct over_curl *curl = (struct over_curl *)context;
  curl_end(curl);
  curl_multi_cleanup(curl->multi);
  free(curl);
  curl_global_cleanup();
}

static bool open_transport(gsls_transport *transport) {
  struct over_curl *curl = (struct over_curl *)calloc(1, sizeof *curl);
  if (curl == NULL) return false;
  if (curl_global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK) {
    free(curl);
    return false;
  }
  curl->multi = curl_multi_init();
  if (curl->multi == NULL) {
    free(curl);
    curl_global_cleanup();
    return false;
  }
  curl_multi_setopt(curl->multi, CURLMOPT_MAXCONNECTS, 2L);
  transport->context = curl;
  transport->start = curl_start;
  transport->is_over = curl_is_over;
  transport->cancel = curl_cancel;
  transport->wait = curl_wait;
  transport->close = curl_close;
  return true;
}

#else

static bool open_transport(gsls_transport *transport) {
  (void)transport;
  return false;
}

#endif

/* ---- The announcement ---- */

#define TIMEOUT_MS 5000
#define LONGEST_TIMEOUT_MS 60000
/** Until the service has told its own. */
#define PING_INTERVAL_MS 20000
#define FIRST_PAUSE_MS 1000
/** After an error that a person has to correct. */
#define WAIT_FOR_A_PERSON_MS 300000
/** How long the request of a stop may take: the end of a game needs the rest of two seconds. */
#define LONGEST_STOP_MS 1800
/** How soon to look again at a request that is under way. */
#define ASKING_MS 10
#define NOT_YET UINT64_MAX
#define NO_TOKEN "claim"
#define MOST_LOG_BYTES 1000
#define MOST_REASON_BYTES 300
#define MOST_PLAYERS 1000000

#define MEASURING_MS 3600000
#define MOST_BEACONS 16
#define MOST_BEACON_BYTES 4096
/** To each beacon: one that opens the connection, and those of which the median counts. */
#define BEACON_REQUESTS 6
/** A beacon gets so long to answer, and no latency is longer. */
#define BEACON_TIMEOUT_MS 2000

enum asking { NOTHING, BROADCAST, PING, REMOVE, BEACONS, BEACON };

/** What lines of the log are about: each topic tells what is new about it. */
enum topic { ABOUT_STATE, ABOUT_TOKEN, ABOUT_FIELDS, ABOUT_VERIFICATION, ABOUT_JOIN_CODE, TOPICS };

/** What is measured to the beacons of the service, while no ping is due. */
struct measuring {
  struct text mark; /**< Of the beacons; empty: there are none. */
  uint64_t due_ms;
  bool is_under_way;
  struct text list; /**< The answer with the beacons; empty before it. */
  struct json rest; /**< The part of it that follows. */
  int beacons;      /**< So many were begun. */
  struct text id;
  struct text url; /**< Of the beacon that is asked; empty if the next one is to be. */
  bool was_given_up; /**< This one has made room for a ping. */
  int answers;     /**< Of this one. */
  int times_ms[BEACON_REQUESTS];
  uint64_t began_ms, looked_ms; /**< When it was asked, and when it had not answered yet, by the clock of the system. */
  struct text found;            /**< Members of an object of JSON. */
  struct text latency;          /**< The same, once all is measured. */
};

struct gsls_announcement {
  struct text url; /**< Without a slash at its end. */
  struct text key;
  struct text token_file;
  int timeout_ms;
  bool insecure;
  gsls_log log;
  void *log_context;
  gsls_random random;
  void *random_context;
  gsls_transport transport;

  bool measures;
  struct measuring measuring;

  struct text fields; /**< An object of JSON without its end and without `players`. */
  int players;

  struct text id; /**< Empty before a broadcast was accepted, and once there has to be a new one. */
  struct text token;
  char idempotency_key[37];
  uint64_t interval_ms;
  int failures;   /**< In a row. */
  bool may_claim; /**< Whether a refused token may be replaced soon; then not before a ping has succeeded. */

  bool has_clock;
  uint64_t clock_ms; /**< What the caller's clock showed last. */
  uint64_t back_ms;  /**< How far it went back last, until it has leapt ahead again. */
  uint64_t time_ms;  /**< How long it has run, whatever it showed. */
  uint64_t due_ms;

  enum asking asking;
  uint64_t asked_ms; /**< When it was first looked at; NOT_YET before. */
  gsls_request request;
  const char *headers[6];
  struct text lines[5];
  struct text request_url;
  struct text request_body;
  gsls_answer answer;

  bool is_token_kept; /**< Whether the file has the token. */
  bool gives_up_id;
  bool is_stopped;
  struct text listed; /**< The id that was listed last. */
  struct text problem;
  struct text verification;
  struct text join_code;
  struct text told[TOPICS];
};

static void log_to_stderr(void *context, const char *line) {
  (void)context;
  fprintf(stderr, "GSLS: %s\n", line);
}

/** Puts `…` in place of each copy of the secret: a service may say it in an error. */
static void hide(struct text *text, const char *secret) {
  const size_t size = strlen(secret);
  struct text hidden;
  if (size < 4 || strcmp(secret, NO_TOKEN) == 0) return;
  memset(&hidden, 0, sizeof hidden);
  const char *at = text_of(text);
  for (const char *found; (found = strstr(at, secret)) != NULL; at = found + size) {
    text_add(&hidden, at, (size_t)(found - at));
    text_put(&hidden, "\xe2\x80\xa6");
  }
  text_put(&hidden, at);
  text_free(text);
  *text = hidden;
}

/** For a person to read: no secrets, printable, and not too long. */
static void put_clean(const gsls_announcement *a, struct text *out, const char *string) {
  struct text raw;
  memset(&raw, 0, sizeof raw);
  text_put(&raw, string);
  hide(&raw, text_of(&a->token));
  hide(&raw, text_of(&a->answer.headers[OF_TOKEN]));
  hide(&raw, text_of(&a->key));
  hide(&raw, a->idempotency_key);
  text_clear(out);
  text_put_printable(out, text_of(&raw));
  text_free(&raw);
  if (out->size > MOST_LOG_BYTES) {
    size_t cut = MOST_LOG_BYTES;
    while (cut > 0 && (out->data[cut] & 0xc0) == 0x80) cut--;
    text_cut(out, cut);
  }
}

/** Puts the beginning of a text, as a part of a sentence. */
static void put_part(struct text *out, const char *string) {
  size_t cut = strlen(string);
  if (cut <= MOST_REASON_BYTES) {
    text_put(out, string);
    return;
  }
  for (cut = MOST_REASON_BYTES; cut > 0 && (string[cut] & 0xc0) == 0x80;) cut--;
  text_add(out, string, cut);
  text_put(out, "\xe2\x80\xa6");
}

/** Puts it as the end of a sentence, with one mark. */
static void put_end(struct text *out, const char *string) {
  put_part(out, string);
  while (out->size > 0 && strchr(" \t\r\n", out->data[out->size - 1]) != NULL) text_cut(out, out->size - 1);
  if (out->size == 0 || strchr(".?!", out->data[out->size - 1]) == NULL) text_put(out, ".");
}

/** Puts a text of the service, made clean before it is cut: half a secret is one, too. */
static void put_told(const gsls_announcement *a, struct text *out, const char *string,
                     void (*put)(struct text *, const char *)) {
  struct text clean;
  memset(&clean, 0, sizeof clean);
  put_clean(a, &clean, string);
  put(out, text_of(&clean));
  text_free(&clean);
}

/** Logs what is new about the topic; `more` is a sentence that is said with it. */
static void tell(gsls_announcement *a, enum topic topic, const char *string, const char *more) {
  struct text line;
  memset(&line, 0, sizeof line);
  put_clean(a, &line, string);
  if (strcmp(text_of(&line), text_of(&a->told[topic])) != 0) {
    text_set(&a->told[topic], text_of(&line));
    text_put(&line, *more == '\0' ? "" : " ");
    text_put(&line, more);
    a->log(a->log_context, text_of(&line));
  }
  text_free(&line);
}

/** Logs why something is refused, as printf would. False, for its caller to return. */
static bool complain(gsls_announcement *a, const char *format, ...) {
  /* There is a token once it was announced. */
  const char *refused = a->token.size > 0 ? "The update is not taken over: " : "The announcement is refused: ";
  char words[512];
  size_t size = (size_t)snprintf(words, sizeof words, "%s", refused);
  va_list values;
  va_start(values, format);
  vsnprintf(words + size, sizeof words - size - 1, format, values);
  va_end(values);
  size = strlen(words);
  words[size] = '.';
  words[size + 1] = '\0';
  tell(a, ABOUT_FIELDS, words, "");
  return false;
}

/* -- Randomness -- */

/** From 0 to 1, without 1. A system without randomness gives the middle. */
static double random_unit(gsls_announcement *a) {
  unsigned char bytes[4];
  if (!a->random(a->random_context, bytes, sizeof bytes)) return 0.5;
  const uint32_t number =
      (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | (uint32_t)bytes[3];
  return number / 4294967296.0;
}

/** A random UUID lets a broadcast be repeated. It is a credential: without randomness there is none. */
static bool renew_key(gsls_announcement *a) {
  unsigned char bytes[16];
  char *out = a->idempotency_key;
  *out = '\0';
  if (!a->random(a->random_context, bytes, sizeof bytes)) return false;
  bytes[6] = (unsigned char)((bytes[6] & 0x0f) | 0x40);
  bytes[8] = (unsigned char)((bytes[8] & 0x3f) | 0x80);
  for (int i = 0; i < 16; i++) {
    if (i == 4 || i == 6 || i == 8 || i == 10) *out++ = '-';
    snprintf(out, 3, "%02x", bytes[i]);
    out += 2;
  }
  return true;
}

/* -- Fields -- */

/** Fields on their way into JSON. */
struct writer {
  gsls_announcement *a;
  struct text out;
  const char *repaired; /**< The last field that was no UTF-8, or NULL. */
};

static void put_name(struct writer *to, const char *name) {
  text_put(&to->out, to->out.size > 1 ? "," : "");
  json_put_string(&to->out, name);
  text_put(&to->out, ":");
}

static void put_string(struct writer *to, const char *name, const char *value) {
  if (!json_put_string(&to->out, value)) to->repaired = name;
}

static void put_json(struct writer *to, const char *name, struct json value) {
  if (!utf8_put_repaired(&to->out, value.at, value.end)) to->repaired = name;
}

static bool put_texts(struct writer *to, const gsls_fields *fields) {
  const struct {
    const char *name;
    const char *value;
    size_t most;
    bool is_required;
  } texts[] = {
      {"server_host", fields->server_host, 1012, true},
      {"server_name", fields->server_name, 512, true},
      {"server_ip", fields->server_ip == NULL ? "auto" : fields->server_ip, 64, true},
      {"map", fields->map, 256, false},
      {"mode", fields->mode, 256, false},
      {"version", fields->version, 256, false},
      {"region", fields->region, 128, false},
  };
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    const char *name = texts[i].name, *value = texts[i].value;
    if (texts[i].is_required && (value == NULL || *value == '\0')) return complain(to->a, "%s is missing", name);
    if (value == NULL) continue;
    if (strlen(value) > texts[i].most)
      return complain(to->a, "%s has more than %u bytes", name, (unsigned)texts[i].most);
    put_name(to, name);
    put_string(to, name, value);
  }
  return true;
}

static bool is_in_range(gsls_announcement *a, const char *name, int number, int least, int most) {
  return (number >= least && number <= most) || complain(a, "%s must be from %d to %d", name, least, most);
}

static bool put_numbers(struct writer *to, const gsls_fields *fields) {
  if (!is_in_range(to->a, "server_port", fields->server_port, 1, 65535)) return false;
  if (!is_in_range(to->a, "players", fields->players, 0, MOST_PLAYERS)) return false;
  if (!is_in_range(to->a, "max_players", fields->max_players, 0, MOST_PLAYERS)) return false;
  put_name(to, "server_port");
  text_put_number(&to->out, fields->server_port);
  put_name(to, "max_players");
  text_put_number(&to->out, fields->max_players);
  return true;
}

static bool put_flag(struct writer *to, const char *name, gsls_flag flag) {
  if (flag == GSLS_UNSAID) return true;
  if (flag != GSLS_NO && flag != GSLS_YES) return complain(to->a, "%s must be a gsls_flag", name);
  put_name(to, name);
  text_put(&to->out, flag == GSLS_YES ? "true" : "false");
  return true;
}

static bool put_tags(struct writer *to, const char *const *tags) {
  if (tags[0] == NULL) return true;
  put_name(to, "tags");
  for (int i = 0; i < GSLS_MOST_TAGS && tags[i] != NULL; i++) {
    if (strlen(tags[i]) > 128) return complain(to->a, "a tag has more than 128 bytes");
    text_put(&to->out, i == 0 ? "[" : ",");
    put_string(to, "a tag", tags[i]);
  }
  text_put(&to->out, "]");
  return true;
}

static bool is_object(gsls_announcement *a, const char *name, const char *json, size_t most) {
  const size_t size = strlen(json);
  if (size > most) return complain(a, "%s has more than %u bytes", name, (unsigned)most);
  return json_is_object(json_of(json, size)) || complain(a, "%s is no object of JSON", name);
}

static bool put_meta(struct writer *to, const char *json) {
  if (json == NULL) return true;
  if (!is_object(to->a, "meta_json", json, 8192)) return false;
  put_name(to, "meta");
  put_json(to, "meta_json", json_of(json, strlen(json)));
  return true;
}

static bool put_details(struct writer *to, const char *json) {
  struct json object, name, value, other;
  struct text field;
  bool is_right = true;
  if (json == NULL) return true;
  if (!is_object(to->a, "details_json", json, 16384)) return false;
  memset(&field, 0, sizeof field);
  object = json_of(json, strlen(json));
  while (is_right && json_next(&object, &name, &value, JSON_LEVELS) == JSON_MEMBER) {
    text_clear(&field);
    json_take_string(&name, &field);
    to->out.failed = to->out.failed || field.failed;
    if (strcmp(text_of(&field), "players") == 0 || strcmp(text_of(&field), "server_id") == 0 ||
        json_find(json_of(to->out.data, to->out.size), text_of(&field), &other)) {
      is_right = complain(to->a, "details_json says %s, which is said already", text_of(&field));
    } else {
      put_name(to, text_of(&field));
      put_json(to, "details_json", value);
    }
  }
  text_free(&field);
  return is_right;
}

/** False if it refuses them, and said why. */
static bool take_fields(gsls_announcement *a, const gsls_fields *fields) {
  struct writer to;
  if (fields == NULL) return complain(a, "there are no fields");
  memset(&to, 0, sizeof to);
  to.a = a;
  text_put(&to.out, "{");
  const bool is_right = put_texts(&to, fields) && put_numbers(&to, fields) &&
                        put_flag(&to, "password", fields->password) && put_flag(&to, "unlisted", fields->unlisted) &&
                        put_tags(&to, fields->tags) && put_meta(&to, fields->meta_json) &&
                        put_details(&to, fields->details_json);
  if (!is_right || to.out.failed) {
    text_free(&to.out);
    return is_right ? complain(a, "there is no memory for the fields") : false;
  }
  text_free(&a->fields);
  a->fields = to.out;
  a->players = fields->players;
  if (to.repaired != NULL) {
    char words[64];
    snprintf(words, sizeof words, "What is no UTF-8 in %s is sent as a question mark.", to.repaired);
    tell(a, ABOUT_FIELDS, words, "");
  } else {
    text_clear(&a->told[ABOUT_FIELDS]);
  }
  return true;
}

/* -- The token -- */

/** Tells of the token file: `why` may be empty. */
static void tell_of_file(gsls_announcement *a, const char *problem, const char *why, const char *next) {
  struct text words;
  memset(&words, 0, sizeof words);
  text_put(&words, "The token file ");
  text_put(&words, text_of(&a->token_file));
  text_put(&words, problem);
  if (*why == '\0')
    text_put(&words, ".");
  else
    put_end(&words, why);
  tell(a, ABOUT_TOKEN, text_of(&words), next);
  text_free(&words);
}

static void read_token(gsls_announcement *a) {
  static const char SPACE[] = " \t\r\n\v\f", CLAIMS[] = "The broadcast claims a new id.";
  struct text read, why;
  memset(&read, 0, sizeof read);
  memset(&why, 0, sizeof why);
  text_set(&a->token, NO_TOKEN);
  if (a->token_file.size > 0) {
    const bool is_read = file_read(text_of(&a->token_file), &read, &why);
    const size_t size = read.size;
    while (read.size > 0 && strchr(SPACE, read.data[read.size - 1]) != NULL && read.data[read.size - 1] != '\0')
      text_cut(&read, read.size - 1);
    const char *token = text_of(&read) + strspn(text_of(&read), SPACE);
    if (!is_read) {
      tell_of_file(a, " cannot be read: ", text_of(&why), CLAIMS);
    } else if (size > MOST_TOKEN_BYTES || strlen(text_of(&read)) != read.size || !is_header_text(token)) {
      tell_of_file(a, " holds no token", "", CLAIMS);
    } else if (*token != '\0') {
      text_set(&a->token, token);
      a->is_token_kept = true;
    }
  }
  text_free(&read);
  text_free(&why);
}

static void keep_token(gsls_announcement *a, const char *issued) {
  struct text why;
  if (*issued == '\0' || !is_header_text(issued) || strcmp(issued, text_of(&a->token)) == 0) return;
  memset(&why, 0, sizeof why);
  text_set(&a->token, issued);
  a->is_token_kept = a->token_file.size > 0 && file_write(text_of(&a->token_file), issued, &why);
  if (a->token_file.size > 0 && !a->is_token_kept)
    tell_of_file(a, " cannot be written: ", text_of(&why), "The next start gets another id.");
  text_free(&why);
}

static void claim_anew(gsls_announcement *a) {
  const bool has_file = a->token_file.size > 0;
  struct text words;
  memset(&words, 0, sizeof words);
  text_set(&a->token, NO_TOKEN);
  a->is_token_kept = false;
  text_put(&words, has_file ? "The service refused the token in " : "The service refused the token of ");
  put_part(&words, text_of(has_file ? &a->token_file : &a->listed));
  text_put(&words, ".");
  tell(a, ABOUT_TOKEN, text_of(&words), "The next broadcast claims a new id.");
  text_free(&words);
}

/* -- Time -- */

/**
 * The caller's clock may go back: time stands still for a moment, and goes on from there. A leap ahead of that size or
 * more is less by it: of two clocks that are shown in turns only the true part counts.
 */
static void pass_time(gsls_announcement *a, uint64_t now_ms) {
  static const uint64_t LONGEST_MS = UINT64_C(1) << 40;
  if (!a->has_clock) {
    a->has_clock = true;
  } else if (now_ms < a->clock_ms) {
    a->back_ms = a->clock_ms - now_ms;
  } else {
    uint64_t step = now_ms - a->clock_ms;
    if (step >= a->back_ms) {
      step -= a->back_ms;
      a->back_ms = 0;
    }
    a->time_ms += step < LONGEST_MS ? step : LONGEST_MS;
  }
  a->clock_ms = now_ms;
}

static uint64_t ms_of(double ms) { return (uint64_t)(ms + 0.5); }

/** 1 s, 2 s, 4 s and so on up to the interval, each shortened at random by up to a half. */
static uint64_t growing_pause(gsls_announcement *a) {
  const uint64_t grown = (uint64_t)FIRST_PAUSE_MS << (a->failures < 30 ? a->failures : 30);
  return ms_of((double)(grown < a->interval_ms ? grown : a->interval_ms) * (0.5 + random_unit(a) / 2));
}

/* -- Requests -- */

static void add_line(gsls_announcement *a, int *count, const char *name, const char *value) {
  struct text *line = &a->lines[*count];
  text_set(line, name);
  text_put(line, value);
  a->headers[*count] = text_of(line);
  *count += 1;
}

static void put_member(struct text *body, const char *name, const char *json) {
  text_put(body, body->size > 1 ? ",\"" : "\"");
  text_put(body, name);
  text_put(body, "\":");
  text_put(body, json);
}

/** Whether the remove keeps the id for the next start. */
static bool keeps_id(const gsls_announcement *a) { return a->is_token_kept && !a->gives_up_id; }

static void write_body(gsls_announcement *a, enum asking what) {
  struct text *body = &a->request_body, id;
  struct json server_ip, own;
  memset(&id, 0, sizeof id);
  json_put_string(&id, text_of(&a->id));
  if (what == REMOVE) {
    text_set(body, "{");
    if (json_find(json_of(a->fields.data, a->fields.size), "server_ip", &server_ip)) {
      put_member(body, "server_ip", "");
      text_add(body, server_ip.at, (size_t)(server_ip.end - server_ip.at));
    }
    if (keeps_id(a)) put_member(body, "keep_id", "true");
  } else {
    char players[16];
    snprintf(players, sizeof players, "%d", a->players);
    text_set(body, text_of(&a->fields));
    put_member(body, "players", players);
    if (a->measuring.latency.size > 0 && !json_find(json_of(a->fields.data, a->fields.size), "latency", &own)) {
      put_member(body, "latency", "{");
      text_put(body, text_of(&a->measuring.latency));
      text_put(body, "}");
    }
  }
  if (what != BROADCAST) put_member(body, "server_id", text_of(&id));
  text_put(body, "}");
  body->failed = body->failed || id.failed;
  text_free(&id);
}

/** Begins the request, with so many of the lines. False if it cannot be begun: the answer says why. */
static bool start(gsls_announcement *a, enum asking what, int lines, bool has_memory) {
  a->headers[lines] = NULL;
  a->request.headers = a->headers;
  a->request.insecure = a->insecure;
  a->asking = what;
  a->asked_ms = NOT_YET;
  if (!has_memory) gsls_answer_failure(&a->answer, "there is no memory for a request");
  return has_memory && a->transport.start(a->transport.context, &a->request, &a->answer);
}

/** False if it cannot be begun: the answer says why. */
static bool begin(gsls_announcement *a, enum asking what) {
  static const char *const PATHS[] = {"", "/broadcast", "/ping", "/remove"};
  int count = 0;
  bool failed;
  write_body(a, what);
  text_set(&a->request_url, text_of(&a->url));
  text_put(&a->request_url, PATHS[what]);
  add_line(a, &count, "Content-Type: ", "application/json");
  add_line(a, &count, "Server-Token: ", text_of(&a->token));
  if (a->key.size > 0) add_line(a, &count, "Authorization: Bearer ", text_of(&a->key));
  if (what == BROADCAST && a->idempotency_key[0] != '\0') add_line(a, &count, "Idempotency-Key: ", a->idempotency_key);
  failed = a->request_url.failed || a->request_body.failed;
  for (int i = 0; i < count; i++) failed = failed || a->lines[i].failed;

  clear_answer(&a->answer);
  a->request.url = text_of(&a->request_url);
  a->request.body = text_of(&a->request_body);
  a->request.body_size = a->request_body.size;
  a->request.timeout_ms = what == REMOVE && a->timeout_ms > LONGEST_STOP_MS ? LONGEST_STOP_MS : a->timeout_ms;
  /* A remove has no second try, and a connection that just failed is not tried again. */
  a->request.fresh_connection = what == REMOVE || a->failures > 0;
  return start(a, what, count, !failed);
}

/** Whether the request is over; one that lasts too long is given up. */
static bool is_over(gsls_announcement *a) {
  if (a->transport.is_over(a->transport.context)) return true;
  if (a->asked_ms == NOT_YET) a->asked_ms = a->time_ms;
  if (a->time_ms - a->asked_ms < (uint64_t)a->request.timeout_ms) return false;
  a->transport.cancel(a->transport.context);
  clear_answer(&a->answer);
  put_too_late(&a->answer.failure, a->request.timeout_ms);
  return true;
}

/* -- Beacons -- */

static bool ask_beacon(gsls_announcement *a, enum asking what) {
  struct measuring *m = &a->measuring;
  int count = 0;
  text_set(&a->request_url, text_of(what == BEACON ? &m->url : &a->url));
  if (what == BEACONS) text_put(&a->request_url, "/beacons");
  if (what == BEACONS && a->key.size > 0) add_line(a, &count, "Authorization: Bearer ", text_of(&a->key));
  clear_answer(&a->answer);
  if (what == BEACON) a->answer.most_bytes = MOST_BEACON_BYTES;
  a->request.url = text_of(&a->request_url);
  a->request.body = "";
  a->request.body_size = 0;
  a->request.timeout_ms = what == BEACON ? BEACON_TIMEOUT_MS : a->timeout_ms;
  a->request.fresh_connection = false;
  m->began_ms = m->looked_ms = system_now_ms();
  return start(a, what, count, !a->request_url.failed && !a->lines[0].failed);
}

static void end_measuring(struct measuring *m) {
  m->is_under_way = false;
  text_set(&m->latency, m->found.failed ? "" : text_of(&m->found));
}

static bool is_beacon(struct measuring *m) {
  const size_t id = strspn(text_of(&m->id), "abcdefghijklmnopqrstuvwxyz0123456789-");
  if (id == 0 || id != m->id.size || id > 16 || m->url.size == 0) return false;
  char *query = strchr(m->url.data, '?');
  if (query != NULL && (!is_header_text(query) || strpbrk(query, " #") != NULL)) return false;
  if (query != NULL) *query = '\0';
  const bool is_right = is_service_url(m->url.data);
  if (query != NULL) *query = '?';
  return is_right;
}

/** Finds the next beacon of the list. False if there is none. */
static bool next_beacon(struct measuring *m) {
  for (struct json item; m->beacons < MOST_BEACONS && json_next_item(&m->rest, &item);) {
    if (!json_find_string(item, "id", &m->id) || !json_find_string(item, "url", &m->url) || !is_beacon(m)) continue;
    m->beacons += 1;
    m->answers = 0;
    m->was_given_up = false;
    return true;
  }
  return false;
}

static void take_beacons(gsls_announcement *a) {
  struct measuring *m = &a->measuring;
  const struct text list = a->answer.body;
  const struct json body = json_of(text_of(&list), list.size);
  const bool is_list = a->answer.status == 200 && a->answer.failure.size == 0 && !a->answer.is_too_large &&
                       !list.failed && json_is_object(body) && json_find_string(body, "status", &m->id) &&
                       strcmp(text_of(&m->id), "success") == 0 && json_find(body, "beacons", &m->rest);
  a->answer.body = m->list;
  m->list = list;
  if (!is_list) end_measuring(m);
}

static int earlier_first(const void *one, const void *other) { return *(const int *)one - *(const int *)other; }

static void take_beacon(gsls_announcement *a, uint64_t answered_ms) {
  struct measuring *m = &a->measuring;
  const gsls_answer *answer = &a->answer;
  if (answer->status / 100 != 2 || answer->failure.size > 0 || answer->is_too_large) {
    text_clear(&m->url);
    return;
  }
  const uint64_t ms = answered_ms - m->began_ms;
  m->times_ms[m->answers++] = ms < BEACON_TIMEOUT_MS ? (int)ms : BEACON_TIMEOUT_MS;
  if (m->answers < BEACON_REQUESTS) return;
  qsort(m->times_ms + 1, BEACON_REQUESTS - 1, sizeof *m->times_ms, earlier_first);
  text_put(&m->found, m->found.size > 0 ? ",\"" : "\"");
  text_put(&m->found, text_of(&m->id));
  text_put(&m->found, "\":");
  text_put_number(&m->found, m->times_ms[BEACON_REQUESTS / 2]);
  text_clear(&m->url);
}

/** Takes the answer of what is measured. It came at this time, by the clock of the system. */
static void take_measured(gsls_announcement *a, uint64_t answered_ms) {
  const bool is_list = a->asking == BEACONS;
  a->asking = NOTHING;
  if (is_list)
    take_beacons(a);
  else
    take_beacon(a, answered_ms);
}

/** Goes on with what is to be measured. */
static void measure(gsls_announcement *a) {
  struct measuring *m = &a->measuring;
  bool is_begun = true;
  if (!m->is_under_way && (m->mark.size == 0 || a->time_ms < m->due_ms)) return;
  if (!m->is_under_way) {
    m->is_under_way = true;
    m->due_ms = a->time_ms + ms_of(MEASURING_MS * (0.9 + 0.2 * random_unit(a)));
    m->beacons = 0;
    m->was_given_up = false;
    text_clear(&m->list);
    text_clear(&m->url);
    text_clear(&m->found);
  }
  if (a->asking == NOTHING) {
    if (m->list.size == 0)
      is_begun = ask_beacon(a, BEACONS);
    else if (m->url.size > 0 || next_beacon(m))
      is_begun = ask_beacon(a, BEACON);
    else
      end_measuring(m);
  }
  const uint64_t now_ms = system_now_ms();
  /* It came between the look before and this one. */
  if (a->asking != NOTHING && (!is_begun || is_over(a)))
    take_measured(a, (m->looked_ms + now_ms) / 2);
  else
    m->looked_ms = now_ms;
}

/** A ping is due. What is asked makes room, is asked once more behind it, and then no more. */
static void give_way(gsls_announcement *a) {
  struct measuring *m = &a->measuring;
  a->transport.cancel(a->transport.context);
  a->asking = NOTHING;
  if (m->was_given_up && m->list.size == 0) end_measuring(m);
  if (m->was_given_up) text_clear(&m->url);
  m->was_given_up = true;
  m->answers = 0;
}

/** Takes what an answer to an announcement says of beacons. */
static void heed_beacons(gsls_announcement *a, bool is_success, bool has_moved) {
  struct measuring *m = &a->measuring;
  const char *mark = text_of(&a->answer.headers[OF_BEACONS]);
  const bool is_other = a->measures && is_success && strcmp(mark, text_of(&m->mark)) != 0;
  if (!is_other && !has_moved) return;
  if (is_other) text_set(&m->mark, mark);
  m->is_under_way = false;
  m->due_ms = a->time_ms + ms_of((double)a->interval_ms * random_unit(a));
  if (m->mark.size == 0) text_clear(&m->latency);
}

/* -- Answers -- */

/** What an answer is to an announcement. */
struct reading {
  bool is_gsls;    /**< An object of JSON with a status, and no redirect. */
  bool is_success; /**< A 200 that says so. */
  struct text code;
  struct text server_id;
  struct text problem; /**< Why it is no success, in a sentence. */
};

static const char *const NAMES[] = {"", "broadcast", "ping", "remove"};

static void put_problem(const gsls_announcement *a, enum asking asked, struct reading *reading,
                        const struct text *error) {
  const gsls_answer *answer = &a->answer;
  const char *location = text_of(&answer->headers[OF_LOCATION]);
  struct text *out = &reading->problem;
  char words[64];
  if (answer->status == 0) {
    text_put(out, "The service did not answer: ");
    put_told(a, out, answer->is_too_large ? "the answer has more than 1 MiB"
                     : answer->failure.size > 0 ? text_of(&answer->failure) : "there was none", put_end);
    return;
  }
  if (reading->is_gsls && asked == PING && strcmp(text_of(&reading->code), "unknown_server") == 0) {
    text_put(out, "The service does not know the id ");
    put_told(a, out, text_of(&a->id), put_part);
    text_put(out, " any more.");
  } else if (reading->is_gsls && error->size > 0) {
    snprintf(words, sizeof words, "The service refused the %s (%d): ", NAMES[asked], answer->status);
    text_put(out, words);
    put_told(a, out, text_of(error), put_end);
  } else if (*location != '\0' && answer->status / 100 == 3) {
    text_put(out, "The answer leads to ");
    put_told(a, out, location, put_part);
    snprintf(words, sizeof words, ", and no redirect is followed (%d).", answer->status);
    text_put(out, words);
  } else {
    snprintf(words, sizeof words, "The answer is none of GSLS (%d).", answer->status);
    text_put(out, words);
  }
}

static void read_answer(gsls_announcement *a, enum asking asked, struct reading *reading) {
  gsls_answer *answer = &a->answer;
  const struct json body = json_of(text_of(&answer->body), answer->body.size);
  struct text text, error;
  memset(reading, 0, sizeof *reading);
  memset(&text, 0, sizeof text);
  memset(&error, 0, sizeof error);
  if (answer->is_too_large || answer->failure.size > 0 || answer->body.failed) answer->status = 0;
  reading->is_gsls = answer->status != 0 && answer->status / 100 != 3 && json_is_object(body) &&
                     json_find_string(body, "status", &text);
  if (reading->is_gsls) {
    reading->is_success = answer->status == 200 && strcmp(text_of(&text), "success") == 0;
    json_find_string(body, "code", &reading->code);
    json_find_string(body, "server_id", &reading->server_id);
    json_find_string(body, "error", &error);
  }
  put_problem(a, asked, reading, &error);
  text_free(&text);
  text_free(&error);
}

static void free_reading(struct reading *reading) {
  text_free(&reading->code);
  text_free(&reading->server_id);
  text_free(&reading->problem);
}

static bool is_one_of(const struct text *code, const char *one, const char *two, const char *three) {
  const char *said = text_of(code);
  return strcmp(said, one) == 0 || strcmp(said, two) == 0 || strcmp(said, three) == 0;
}

/** What comes next is a broadcast of a new entry. */
static void begin_anew(gsls_announcement *a) {
  text_clear(&a->id);
  a->failures = 0;
  renew_key(a);
}

/** Takes what an accepted answer says. How long to wait for the next ping. */
static uint64_t take_success(gsls_announcement *a, enum asking asked, const struct text *server_id) {
  const uint64_t told_ms = interval_of(text_of(&a->answer.headers[OF_INTERVAL]));
  if (asked == BROADCAST)
    text_set(&a->id, text_of(server_id));
  else
    a->may_claim = true;
  a->failures = 0;
  keep_token(a, text_of(&a->answer.headers[OF_TOKEN]));
  if (told_ms > 0) a->interval_ms = told_ms;
  /* Those that began together ping at different times, from the first ping on. */
  const double part = asked == BROADCAST ? random_unit(a) : 0.9 + 0.2 * random_unit(a);
  return ms_of((double)a->interval_ms * part);
}

/** Does what an error asks for. How long to wait for the next request. */
static uint64_t take_error(gsls_announcement *a, enum asking asked, const struct reading *reading) {
  const int status = a->answer.status;
  const struct text *code = &reading->code;
  /* What no service has issued, such as a file that another program wrote. */
  const bool is_damaged = asked == BROADCAST && strcmp(text_of(code), "invalid_request") == 0 &&
                          strcmp(text_of(&a->token), NO_TOKEN) != 0;
  if (reading->is_gsls && is_one_of(code, "unknown_server", "ip_mismatch", "idempotency_key_used")) {
    begin_anew(a);
    return ms_of((double)a->interval_ms * random_unit(a));
  }
  if (reading->is_gsls && (is_damaged || is_one_of(code, "not_owner", "server_token_required", "not_owner"))) {
    const bool is_soon = a->may_claim;
    begin_anew(a);
    claim_anew(a);
    a->may_claim = false;
    return is_soon ? ms_of((double)a->interval_ms * random_unit(a)) : WAIT_FOR_A_PERSON_MS;
  }
  if (!reading->is_gsls || status == 408 || status == 429 || status >= 500 ||
      strcmp(text_of(code), "address_taken") == 0) {
    const uint64_t pause = growing_pause(a);
    const uint64_t asked_for =
        retry_after_of(text_of(&a->answer.headers[OF_RETRY_AFTER]), text_of(&a->answer.headers[OF_DATE]));
    a->failures += 1;
    return pause > asked_for ? pause : asked_for;
  }
  return WAIT_FOR_A_PERSON_MS;
}

static void take_header(gsls_announcement *a, enum header header, enum topic topic, const char *name,
                        struct text *kept) {
  struct text line;
  if (a->answer.headers[header].size == 0) return;
  memset(&line, 0, sizeof line);
  put_clean(a, kept, text_of(&a->answer.headers[header]));
  text_put(&line, name);
  put_end(&line, text_of(kept));
  tell(a, topic, text_of(&line), "");
  text_free(&line);
}

static void finish(gsls_announcement *a) {
  a->asking = NOTHING;
  a->is_stopped = true;
  text_clear(&a->id);
}

/** Tells it where it is new: at first, after a problem, and with another id. */
static void tell_listed(gsls_announcement *a) {
  const bool is_first = a->listed.size == 0, is_same = strcmp(text_of(&a->listed), text_of(&a->id)) == 0;
  struct text words;
  if (is_same && a->problem.size == 0) return;
  memset(&words, 0, sizeof words);
  text_put(&words, is_first  ? "The game server is listed as "
                   : is_same ? "The game server is listed again as "
                             : "The game server is listed again, with the new id ");
  put_told(a, &words, text_of(&a->id), put_end);
  tell(a, ABOUT_STATE, text_of(&words), "");
  text_free(&words);
  text_set(&a->listed, text_of(&a->id));
  text_clear(&a->problem);
}

static void take_remove(gsls_announcement *a, const struct reading *reading) {
  struct text words;
  memset(&words, 0, sizeof words);
  text_clear(&a->problem);
  if (reading->is_success) {
    text_put(&words, keeps_id(a) ? "The game server left the list, and its token keeps the id "
                                 : "The game server left the list, and the id ");
    put_told(a, &words, text_of(&a->id), put_part);
    text_put(&words, keeps_id(a) ? "." : " is given up.");
    tell(a, ABOUT_STATE, text_of(&words), "");
  } else if (strcmp(text_of(&reading->code), "unknown_server") == 0) {
    tell(a, ABOUT_STATE, "The game server had left the list before.", "");
  } else {
    put_clean(a, &a->problem, text_of(&reading->problem));
    text_put(&words, "The entry ");
    put_told(a, &words, text_of(&a->id), put_part);
    text_put(&words, " stays until it expires.");
    tell(a, ABOUT_STATE, text_of(&a->problem), text_of(&words));
  }
  text_free(&words);
  finish(a);
}

static void take_answer(gsls_announcement *a) {
  const enum asking asked = a->asking;
  struct reading reading;
  read_answer(a, asked, &reading);
  a->asking = NOTHING;
  /* What is told is freed of the token and the key of this request: so it comes before they are renewed. */
  take_header(a, OF_VERIFICATION, ABOUT_VERIFICATION,
              "The service says of its look at the game server: ", &a->verification);
  take_header(a, OF_JOIN_CODE, ABOUT_JOIN_CODE, "Players find the game server by the join code ", &a->join_code);
  if (asked == REMOVE) {
    take_remove(a, &reading);
  } else if (reading.is_success && (asked == PING || reading.server_id.size > 0)) {
    a->due_ms = a->time_ms + take_success(a, asked, &reading.server_id);
    tell_listed(a);
  } else {
    char next[64], key[sizeof a->idempotency_key];
    memcpy(key, a->idempotency_key, sizeof key);
    put_clean(a, &a->problem, text_of(&reading.problem));
    const uint64_t wait_ms = take_error(a, asked, &reading);
    a->due_ms = a->time_ms + wait_ms;
    const unsigned long wait_s = (unsigned long)((wait_ms + 999) / 1000);
    if (memcmp(key, a->idempotency_key, sizeof key) != 0)
      snprintf(next, sizeof next, "A new broadcast follows in %lu s.", wait_s);
    else
      snprintf(next, sizeof next, "The next %s is in %lu s.", NAMES[asked], wait_s);
    tell(a, ABOUT_STATE, text_of(&a->problem), next);
  }
  if (asked != REMOVE)
    heed_beacons(a, reading.is_success, reading.is_gsls && strcmp(text_of(&reading.code), "ip_mismatch") == 0);
  free_reading(&reading);
}

/* -- What games call -- */

/** False if an option cannot be right, and said which. */
static bool take_options(gsls_announcement *a, const char *url, const gsls_options *options) {
  const char *key = options->key == NULL ? "" : options->key;
  if (url == NULL || !is_service_url(url))
    return complain(a, "\"%.300s\" is no URL of a service, such as http://localhost:53600", url == NULL ? "" : url);
  size_t size = strlen(url);
  while (url[size - 1] == '/') size--;
  text_add(&a->url, url, size);
  for (const char *at = key; *at != '\0'; at++)
    if ((unsigned char)*at < ' ' || *at == 0x7f) return complain(a, "the key has characters that no header can have");
  if (strlen(key) > 1024) return complain(a, "the key has more than 1024 bytes");
  text_put(&a->key, key);
  text_put(&a->token_file, options->token_file == NULL ? "" : options->token_file);
  if (a->url.failed || a->key.failed || a->token_file.failed) return complain(a, "there is no memory for the options");
  a->timeout_ms = options->timeout_ms == 0 ? TIMEOUT_MS : options->timeout_ms;
  if (!is_in_range(a, "timeout_ms", a->timeout_ms, 1, LONGEST_TIMEOUT_MS)) return false;
  a->insecure = options->insecure;
  a->measures = options->measure != GSLS_NO;
  if (a->transport.start == NULL && !open_transport(&a->transport))
    return complain(a, "there is no transport: libcurl does not start, or was left out");
  return renew_key(a) || complain(a, "the system has no randomness");
}

gsls_announcement *gsls_announce(const char *url, const gsls_fields *fields, const gsls_options *options) {
  gsls_announcement *a = (gsls_announcement *)calloc(1, sizeof *a);
  gsls_options none;
  memset(&none, 0, sizeof none);
  if (options == NULL) options = &none;
  if (a == NULL) {
    if (options->transport != NULL && options->transport->close != NULL)
      options->transport->close(options->transport->context);
    return NULL;
  }
  a->log = options->log == NULL ? log_to_stderr : options->log;
  a->log_context = options->log_context;
  a->random = options->random == NULL ? system_random : options->random;
  a->random_context = options->random_context;
  if (options->transport != NULL) a->transport = *options->transport;
  a->interval_ms = PING_INTERVAL_MS;
  a->may_claim = true;
  if (!take_options(a, url, options) || !take_fields(a, fields)) {
    gsls_free(a);
    return NULL;
  }
  read_token(a);
  return a;
}

void gsls_update(gsls_announcement *a, uint64_t now_ms) {
  if (a == NULL || a->is_stopped) return;
  pass_time(a, now_ms);
  if (a->asking >= BEACONS && a->time_ms >= a->due_ms) give_way(a);
  if (a->asking != NOTHING && a->asking < BEACONS) {
    if (is_over(a)) take_answer(a);
  } else if (a->asking == NOTHING && a->time_ms >= a->due_ms) {
    if (!begin(a, a->id.size > 0 ? PING : BROADCAST)) take_answer(a);
  } else {
    measure(a);
  }
}

int gsls_next_update_ms(const gsls_announcement *a) {
  if (a == NULL || a->is_stopped) return -1;
  if (gsls_is_asking(a)) return a->measuring.is_under_way ? 1 : ASKING_MS;
  const bool is_to_measure = a->measuring.mark.size > 0 && a->measuring.due_ms < a->due_ms;
  const uint64_t due_ms = is_to_measure ? a->measuring.due_ms : a->due_ms;
  if (due_ms <= a->time_ms) return 0;
  return due_ms - a->time_ms < INT_MAX ? (int)(due_ms - a->time_ms) : INT_MAX;
}

bool gsls_is_asking(const gsls_announcement *a) {
  return a != NULL && (a->asking != NOTHING || a->measuring.is_under_way);
}

bool gsls_set_fields(gsls_announcement *a, const gsls_fields *fields) { return a != NULL && take_fields(a, fields); }

bool gsls_set_players(gsls_announcement *a, int players) {
  if (a == NULL || !is_in_range(a, "players", players, 0, MOST_PLAYERS)) return false;
  a->players = players;
  return true;
}

void gsls_stop(gsls_announcement *a) {
  if (a == NULL || a->is_stopped || a->asking == REMOVE) return;
  if (a->asking != NOTHING) a->transport.cancel(a->transport.context);
  a->measuring.is_under_way = false;
  if (a->id.size == 0)
    finish(a);
  else if (!begin(a, REMOVE))
    take_answer(a);
}

void gsls_stop_for_good(gsls_announcement *a) {
  if (a != NULL && a->asking != REMOVE) a->gives_up_id = true;
  gsls_stop(a);
}

void gsls_stop_and_wait(gsls_announcement *a, int most_ms) {
  const uint64_t from_ms = system_now_ms(), clock_ms = a == NULL ? 0 : a->clock_ms;
  gsls_stop(a);
  while (a != NULL && !a->is_stopped) {
    const uint64_t passed_ms = system_now_ms() - from_ms;
    gsls_update(a, clock_ms + passed_ms);
    if (a->is_stopped) break;
    if (most_ms <= 0 || passed_ms >= (uint64_t)most_ms) {
      a->transport.cancel(a->transport.context);
      clear_answer(&a->answer);
      put_too_late(&a->answer.failure, most_ms < 0 ? 0 : most_ms);
      take_answer(a);
    } else if (a->transport.wait != NULL) {
      a->transport.wait(a->transport.context, ASKING_MS);
    } else {
      system_sleep_ms(ASKING_MS);
    }
  }
}

void gsls_free(gsls_announcement *a) {
  if (a == NULL) return;
  if (a->asking != NOTHING) a->transport.cancel(a->transport.context);
  if (a->transport.close != NULL) a->transport.close(a->transport.context);
  struct text *const texts[] = {&a->url,     &a->key,          &a->token_file,   &a->fields,
                                &a->id,      &a->token,        &a->request_url,  &a->request_body,
                                &a->problem, &a->verification, &a->join_code,    &a->answer.body,
                                &a->listed,  &a->answer.failure, &a->measuring.mark, &a->measuring.list,
                                &a->measuring.id, &a->measuring.url, &a->measuring.found, &a->measuring.latency};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) text_free(texts[i]);
  for (size_t i = 0; i < sizeof a->lines / sizeof *a->lines; i++) text_free(&a->lines[i]);
  for (int i = 0; i < HEADERS; i++) text_free(&a->answer.headers[i]);
  for (int i = 0; i < TOPICS; i++) text_free(&a->told[i]);
  free(a);
}

gsls_state gsls_get_state(const gsls_announcement *a) {
  if (a == NULL || a->is_stopped) return GSLS_STOPPED;
  return a->problem.size > 0 ? GSLS_FAILING : a->id.size > 0 ? GSLS_LISTED : GSLS_STARTING;
}

const char *gsls_get_id(const gsls_announcement *a) { return a == NULL ? "" : text_of(&a->id); }

const char *gsls_get_problem(const gsls_announcement *a) { return a == NULL ? "" : text_of(&a->problem); }

const char *gsls_get_verification(const gsls_announcement *a) { return a == NULL ? "" : text_of(&a->verification); }

const char *gsls_get_join_code(const gsls_announcement *a) { return a == NULL ? "" : text_of(&a->join_code); }
