//! The text of a formula as a tree, read by the expression parser of winnow.
//!
//! ```text
//! formula   let name = value; … value
//! value     or · and · not · = != < <= > >= · + - · * / % · - · ^, from the loosest to the tightest
//! operand   number · name · name(…) · [numbers] · (formula), each with .name, .name(…) or [which] behind it
//! argument  value · name -> formula · (name, name) -> formula
//! ```
//!
//! Comparisons and ^ do not chain, so readers need not know which comes first: a second ^ needs brackets wherever only
//! one operand is between both, a second comparison wherever neither `and` nor `or` is. `# …` is a comment.

use winnow::combinator::{Infix, Postfix, Prefix, expression};
use winnow::error::{ErrMode, ParserError};
use winnow::stream::{LocatingSlice, Location as _, Stateful, Stream as _};
use winnow::{ModalResult, Parser as _};

use super::Formula;
use super::error::{Refusal, Wrong};

/// A part of a formula, and its range of bytes.
#[derive(Clone, Debug)]
pub(super) struct Tree {
    /// Where errors about it are reported.
    pub(super) at: usize,
    pub(super) from: usize,
    pub(super) to: usize,
    depth: usize,
    open: Open,
    pub(super) kind: Kind,
}

/// The operators of a part that are outside all of its brackets. An adjacent operator may meet them.
#[derive(Clone, Copy, Default, Debug)]
struct Open {
    /// The first and the last in the text.
    ends: Option<[Sign; 2]>,
    /// The position of a comparison.
    comparison: Option<usize>,
}

#[derive(Clone, Copy, Debug)]
struct Sign {
    at: usize,
    is_power: bool,
}

#[derive(Clone, Debug)]
pub(super) enum Kind {
    Number(f64),
    List(Vec<Tree>),
    /// A name with its arguments. The part before a dot is the first argument.
    Call(String, Vec<Tree>),
    Lambda(Vec<String>, Box<Tree>),
    Let(String, Box<[Tree; 2]>),
    Negative(Box<Tree>),
    Not(Box<Tree>),
    /// Added from the left; terms with `true` are subtracted.
    Sum(Vec<(bool, Tree)>),
    Two(Operator, Box<[Tree; 2]>),
    Nth(Box<[Tree; 2]>),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Operator {
    Times,
    Over,
    Remainder,
    Power,
    Equal,
    Unequal,
    Less,
    AtMost,
    And,
    Or,
}

type Input<'a> = Stateful<LocatingSlice<&'a str>, Depth<'a>>;

/// The nesting of brackets, and the positions of the prefix operators whose operands are being read, each inside the
/// previous one.
#[derive(Clone, Debug)]
struct Depth<'a> {
    text: &'a str,
    brackets: usize,
    signs: Vec<usize>,
}

impl Depth<'_> {
    const fn is_too_deep(&self) -> bool {
        Formula::DEEPEST < self.brackets + self.signs.len()
    }
}

impl ParserError<Input<'_>> for Refusal {
    type Inner = Self;

    fn from_input(input: &Input<'_>) -> Self {
        Wrong::Nothing.at(input.current_token_start())
    }

    fn into_inner(self) -> Result<Self, Self> {
        Ok(self)
    }
}

type Read<T> = ModalResult<T, Refusal>;

pub(super) fn read(text: &str) -> Result<Tree, Refusal> {
    if Formula::LONGEST < text.chars().count() {
        return Err(Wrong::TooLong.at(text
            .char_indices()
            .nth(Formula::LONGEST)
            .map_or(0, |(at, _)| at)));
    }
    let mut input = Input {
        input: LocatingSlice::new(text),
        state: Depth {
            text,
            brackets: 0,
            signs: Vec::new(),
        },
    };
    skip(&mut input);
    if rest(&input).is_empty() {
        return Err(Wrong::Nothing.at(0));
    }
    let tree = block(&mut input).and_then(|tree| match next(&input) {
        None => Ok(tree),
        Some(sign) => Err(unexpected(&input, sign)),
    });

    tree.map_err(|error| match error {
        ErrMode::Backtrack(refusal) | ErrMode::Cut(refusal) => refusal,
        ErrMode::Incomplete(_) => Wrong::Nothing.at(text.len()),
    })
}

fn refuse<T>(wrong: Wrong, at: usize) -> Read<T> {
    Err(ErrMode::Cut(wrong.at(at)))
}

/// The error for a character in the place of an operator, a bracket or the end.
fn unexpected(input: &Input<'_>, sign: char) -> ErrMode<Refusal> {
    let wrong = match sign {
        '^' => Wrong::Chained("powers"),
        '*' if rest(input).starts_with("**") => Wrong::Chained("powers"),
        '=' | '<' | '>' | '!' => Wrong::Chained("comparisons"),
        ')' | ']' => Wrong::sign(sign, "it closes no open bracket"),
        ';' => Wrong::sign(
            sign,
            "it ends a let, such as let most = max(cells, c -> c.rank);",
        ),
        ',' => Wrong::sign(sign, "it separates the arguments in brackets"),
        _ => Wrong::sign(
            sign,
            "an operator such as +, or a comma, is needed before it",
        ),
    };
    ErrMode::Cut(wrong.at(here(input)))
}

fn here(input: &Input<'_>) -> usize {
    input.current_token_start()
}

fn rest<'a>(input: &Input<'a>) -> &'a str {
    *input.input
}

fn next(input: &Input<'_>) -> Option<char> {
    rest(input).chars().next()
}

/// Skips blanks and comments.
fn skip(input: &mut Input<'_>) {
    input.next_slice(blank(rest(input)));
}

/// The number of bytes of blanks and comments at the start of a text.
fn blank(text: &str) -> usize {
    let mut past = 0;
    loop {
        past += text[past..].len() - text[past..].trim_start().len();
        if !text[past..].starts_with('#') {
            return past;
        }
        past += text[past..].find('\n').unwrap_or(text.len() - past);
    }
}

/// Takes a token with the blanks around it. Returns whether it was there.
fn takes(input: &mut Input<'_>, sign: &str) -> bool {
    skip(input);
    let is_there = rest(input).starts_with(sign);
    if is_there {
        input.next_slice(sign.len());
        skip(input);
    }
    is_there
}

/// Takes a name.
fn name<'a>(input: &mut Input<'a>) -> Option<&'a str> {
    let text = rest(input);
    if !text.starts_with(|sign: char| sign.is_ascii_alphabetic() || sign == '_') {
        return None;
    }
    let len = text
        .find(|sign: char| !sign.is_ascii_alphanumeric() && sign != '_')
        .unwrap_or(text.len());
    Some(input.next_slice(len))
}

/// Takes this word, unless it is only the start of a longer name.
fn takes_word(input: &mut Input<'_>, word: &str) -> bool {
    let start = input.checkpoint();
    if name(input) == Some(word) {
        return true;
    }
    input.reset(&start);
    false
}

impl Tree {
    fn new(from: usize, to: usize, kind: Kind) -> Read<Self> {
        let below = match &kind {
            Kind::Number(_) => 0,
            Kind::List(all) | Kind::Call(_, all) => deepest(all),
            Kind::Sum(all) => all.iter().map(|(_, tree)| tree.depth).max().unwrap_or(0),
            Kind::Let(_, two) | Kind::Two(_, two) | Kind::Nth(two) => deepest(&two[..]),
            Kind::Lambda(_, one) | Kind::Negative(one) | Kind::Not(one) => one.depth,
        };
        if Formula::DEEPEST <= below {
            return refuse(Wrong::TooDeep, from);
        }
        Ok(Self {
            at: from,
            from,
            to,
            depth: below + 1,
            open: Open::default(),
            kind,
        })
    }

    fn two(input: &Input<'_>, operator: Operator, one: Self, other: Self) -> Read<Self> {
        let open = one.joined(input, Some(operator), &other)?;
        let tree = Self::new(
            one.from,
            other.to,
            Kind::Two(operator, Box::new([one, other])),
        )?;
        Ok(Self { open, ..tree })
    }

    /// Reads `a > b` as `b < a`, with the range of the original.
    fn turned(input: &Input<'_>, operator: Operator, one: Self, other: Self) -> Read<Self> {
        let open = one.joined(input, Some(operator), &other)?;
        let tree = Self::new(
            one.from,
            other.to,
            Kind::Two(operator, Box::new([other, one])),
        )?;
        Ok(Self { open, ..tree })
    }

    /// The open operators of two parts and of the one between them, which is + or − if it is `None`. The parser itself
    /// refuses a second non-chaining operator only directly after the first; a looser or a prefix operator may contain
    /// another one.
    fn joined(&self, input: &Input<'_>, operator: Option<Operator>, other: &Self) -> Read<Open> {
        use Operator::{AtMost, Equal, Less, Power, Unequal};
        let at = self.to + blank(&input.state.text[self.to..]);
        let sign = Sign {
            at,
            is_power: operator == Some(Power),
        };
        let [before, behind] = [self.open, other.open];
        if sign.is_power {
            let is_second = before.ends.is_some_and(|[_, last]| last.is_power);
            let second = behind
                .ends
                .map(|[first, _]| first)
                .filter(|first| first.is_power);
            if let Some(second) = is_second.then_some(sign).or(second) {
                return refuse(Wrong::Chained("powers"), second.at);
            }
        }

        let is_comparison = matches!(operator, Some(Equal | Unequal | Less | AtMost));
        if is_comparison && let Some(second) = before.comparison.map(|_| at).or(behind.comparison) {
            return refuse(Wrong::Chained("comparisons"), second);
        }
        Ok(Open {
            ends: Some([
                before.ends.map_or(sign, |[first, _]| first),
                behind.ends.map_or(sign, |[_, last]| last),
            ]),
            comparison: is_comparison
                .then_some(at)
                .or(before.comparison)
                .or(behind.comparison),
        })
    }

    /// Applies the innermost open prefix operator.
    fn signed(input: &mut Input<'_>, one: Self, kind: fn(Box<Self>) -> Kind) -> Read<Self> {
        let from = input.state.signs.pop().unwrap_or(one.from);
        let open = one.open;
        Ok(Self {
            open,
            ..Self::new(from, one.to, kind(Box::new(one)))?
        })
    }

    fn added(input: &Input<'_>, one: Self, is_taken_away: bool, other: Self) -> Read<Self> {
        let open = one.joined(input, None, &other)?;
        let (from, to) = (one.from, other.to);
        let mut terms = match one.kind {
            // A sum in brackets is one term.
            Kind::Sum(terms) if terms.first().is_some_and(|(_, first)| first.from == from) => terms,
            kind => vec![(false, Self { kind, ..one })],
        };
        terms.push((is_taken_away, other));
        Ok(Self {
            open,
            ..Self::new(from, to, Kind::Sum(terms))?
        })
    }
}

fn deepest(trees: &[Tree]) -> usize {
    trees.iter().map(|tree| tree.depth).max().unwrap_or(0)
}

/// A value after any number of `let`s.
fn block(input: &mut Input<'_>) -> Read<Tree> {
    let mut given = Vec::new();
    loop {
        skip(input);
        let from = here(input);
        if !takes_word(input, "let") {
            break;
        }
        skip(input);
        let Some(called) = name(input) else {
            return missing(
                input,
                "a name is needed after let, such as let most = …;",
                here(input),
            );
        };
        if !takes(input, "=") {
            return missing(input, "= is needed after the name of a let", here(input));
        }
        given.push((from, called.to_owned(), value(input)?));
        if !takes(input, ";") {
            return missing(input, "; is needed at the end of a let", here(input));
        }
        // Each is nested in the previous ones.
        if Formula::DEEPEST < given.len() {
            return refuse(Wrong::TooDeep, from);
        }
    }

    let body = value(input)?;
    given
        .into_iter()
        .rev()
        .try_fold(body, |body, (from, called, value)| {
            Tree::new(from, body.to, Kind::Let(called, Box::new([value, body])))
        })
}

/// The error if something is missing or something else is in its place.
fn missing<T>(input: &Input<'_>, what: &'static str, at: usize) -> Read<T> {
    match next(input) {
        Some(sign) => refuse(Wrong::sign(sign, what), at),
        None => refuse(Wrong::Ends(what), at),
    }
}

fn value(input: &mut Input<'_>) -> Read<Tree> {
    let tree = expression(operand)
        .prefix(prefix)
        .postfix(postfix)
        .infix(infix)
        .parse_next(input)?;
    skip(input);
    Ok(tree)
}

fn backtrack<T>(input: &Input<'_>) -> Read<T> {
    Err(ErrMode::Backtrack(Wrong::Nothing.at(here(input))))
}

fn prefix<'a>(input: &mut Input<'a>) -> Read<Prefix<Input<'a>, Tree, ErrMode<Refusal>>> {
    skip(input);
    let from = here(input);
    input.state.signs.push(from);
    if input.state.is_too_deep() {
        return refuse(Wrong::TooDeep, from);
    }
    if rest(input).starts_with('-') {
        input.next_slice(1);
        return Ok(Prefix(10, |input, one| {
            Tree::signed(input, one, Kind::Negative)
        }));
    }

    let is_sign = rest(input).starts_with('!');
    if is_sign {
        input.next_slice(1);
    }
    if is_sign || takes_word(input, "not") {
        return Ok(Prefix(5, |input, one| Tree::signed(input, one, Kind::Not)));
    }
    missing(input, "a number, a name or a bracket is needed there", from)
}

/// An infix operator.
type Between<'a> = Infix<Input<'a>, Tree, ErrMode<Refusal>>;

fn infix<'a>(input: &mut Input<'a>) -> Read<Between<'a>> {
    use Operator::{And, AtMost, Equal, Less, Or, Over, Power, Remainder, Times, Unequal};
    skip(input);
    let text = rest(input);
    if text.starts_with("->") {
        return refuse(Wrong::Lambda, here(input));
    }

    let signs: [(&str, Between<'a>); 17] = [
        (
            "||",
            Infix::Left(2, |input, one, other| Tree::two(input, Or, one, other)),
        ),
        (
            "&&",
            Infix::Left(3, |input, one, other| Tree::two(input, And, one, other)),
        ),
        (
            "==",
            Infix::Neither(6, |input, one, other| Tree::two(input, Equal, one, other)),
        ),
        (
            "!=",
            Infix::Neither(6, |input, one, other| Tree::two(input, Unequal, one, other)),
        ),
        (
            "<=",
            Infix::Neither(6, |input, one, other| Tree::two(input, AtMost, one, other)),
        ),
        // Swapped, so that only two order comparisons exist.
        (
            ">=",
            Infix::Neither(6, |input, one, other| {
                Tree::turned(input, AtMost, one, other)
            }),
        ),
        (
            "=",
            Infix::Neither(6, |input, one, other| Tree::two(input, Equal, one, other)),
        ),
        (
            "<",
            Infix::Neither(6, |input, one, other| Tree::two(input, Less, one, other)),
        ),
        (
            ">",
            Infix::Neither(6, |input, one, other| Tree::turned(input, Less, one, other)),
        ),
        (
            "+",
            Infix::Left(8, |input, one, other| Tree::added(input, one, false, other)),
        ),
        (
            "-",
            Infix::Left(8, |input, one, other| Tree::added(input, one, true, other)),
        ),
        (
            "**",
            Infix::Neither(12, |input, one, other| Tree::two(input, Power, one, other)),
        ),
        (
            "*",
            Infix::Left(9, |input, one, other| Tree::two(input, Times, one, other)),
        ),
        (
            "/",
            Infix::Left(9, |input, one, other| Tree::two(input, Over, one, other)),
        ),
        (
            "%",
            Infix::Left(9, |input, one, other| {
                Tree::two(input, Remainder, one, other)
            }),
        ),
        (
            "^",
            Infix::Neither(12, |input, one, other| Tree::two(input, Power, one, other)),
        ),
        (
            "×",
            Infix::Left(9, |input, one, other| Tree::two(input, Times, one, other)),
        ),
    ];

    for (sign, infix) in signs {
        if text.starts_with(sign) {
            input.next_slice(sign.len());
            return Ok(infix);
        }
    }
    if takes_word(input, "and") {
        return Ok(Infix::Left(3, |input, one, other| {
            Tree::two(input, And, one, other)
        }));
    }
    if takes_word(input, "or") {
        return Ok(Infix::Left(2, |input, one, other| {
            Tree::two(input, Or, one, other)
        }));
    }

    backtrack(input)
}

/// `.name`, `.name(…)`, `[which]`.
fn postfix<'a>(input: &mut Input<'a>) -> Read<Postfix<Input<'a>, Tree, ErrMode<Refusal>>> {
    skip(input);
    match next(input) {
        Some('.') => Ok(Postfix(20, |input, operand| {
            takes(input, ".");
            let from = here(input);
            let Some(called) = name(input) else {
                return missing(
                    input,
                    "a name is needed after the dot, such as c.rank",
                    from,
                );
            };
            let mut arguments = vec![operand];
            if rest(input).starts_with('(') {
                arguments.extend(in_brackets(input)?);
            }
            let start = arguments[0].from;
            Ok(Tree {
                at: from,
                ..Tree::new(start, here(input), Kind::Call(called.to_owned(), arguments))?
            })
        })),
        Some('[') => Ok(Postfix(20, |input, operand| {
            let from = here(input);
            takes(input, "[");
            let which = value(input)?;
            if !rest(input).starts_with(']') {
                return missing(input, "a bracket [ is open", here(input));
            }
            input.next_slice(1);
            Ok(Tree {
                at: from,
                ..Tree::new(
                    operand.from,
                    here(input),
                    Kind::Nth(Box::new([operand, which])),
                )?
            })
        })),
        _ => backtrack(input),
    }
}

fn operand(input: &mut Input<'_>) -> Read<Tree> {
    skip(input);
    let from = here(input);
    let Some(sign) = next(input) else {
        return refuse(Wrong::Ends("a value is needed there"), from);
    };
    let start = input.checkpoint();

    match sign {
        '0'..='9' => number(input),
        '.' if rest(input)[1..].starts_with(|next: char| next.is_ascii_digit()) => number(input),
        '(' => in_round(input),
        '[' => list(input),
        _ => match name(input) {
            Some("not") => {
                input.reset(&start);
                backtrack(input)
            }
            Some(word @ ("and" | "or")) => refuse(Wrong::Word(word.to_owned()), from),
            Some("let") => refuse(Wrong::Let, from),
            Some(called) => {
                let arguments = if rest(input).starts_with('(') {
                    in_brackets(input)?
                } else {
                    Vec::new()
                };
                Tree::new(from, here(input), Kind::Call(called.to_owned(), arguments))
            }
            None => backtrack(input),
        },
    }
}

fn number(input: &mut Input<'_>) -> Read<Tree> {
    let (from, text) = (here(input), rest(input));
    let bytes = text.as_bytes();
    let digits = |mut at: usize| {
        while bytes
            .get(at)
            .is_some_and(|byte| byte.is_ascii_digit() || *byte == b'_')
        {
            at += 1;
        }
        at
    };
    let mut len = digits(0);
    if bytes.get(len) == Some(&b'.') && bytes.get(len + 1).is_some_and(u8::is_ascii_digit) {
        len = digits(len + 1);
    }

    if matches!(bytes.get(len), Some(b'e' | b'E')) {
        let sign = usize::from(matches!(bytes.get(len + 1), Some(b'+' | b'-')));
        if bytes.get(len + 1 + sign).is_some_and(u8::is_ascii_digit) {
            len = digits(len + 1 + sign);
        }
    }

    // Letters after a number belong to it: 2x is no product.
    let behind = text[len..]
        .find(|sign: char| !sign.is_ascii_alphanumeric())
        .unwrap_or(text.len() - len);
    let text = input.next_slice(len + behind);
    match text.replace('_', "").parse::<f64>() {
        Ok(number) if number.is_finite() => Tree::new(from, here(input), Kind::Number(number)),
        _ => refuse(Wrong::Number(text.chars().take(40).collect()), from),
    }
}

/// `(formula)`.
fn in_round(input: &mut Input<'_>) -> Read<Tree> {
    let from = here(input);
    let inner = deeper(input, |input| {
        input.next_slice(1);
        let inner = block(input)?;
        if !rest(input).starts_with(')') {
            return Err(open_bracket(input, from));
        }
        input.next_slice(1);
        Ok(inner)
    })?;
    Ok(Tree {
        from,
        to: here(input),
        open: Open::default(),
        ..inner
    })
}

fn open_bracket(input: &Input<'_>, from: usize) -> ErrMode<Refusal> {
    match next(input) {
        None => {
            ErrMode::Cut(Wrong::Ends("the bracket that is opened there is not closed").at(from))
        }
        Some(sign) => unexpected(input, sign),
    }
}

fn deeper<T>(input: &mut Input<'_>, read: impl FnOnce(&mut Input<'_>) -> Read<T>) -> Read<T> {
    input.state.brackets += 1;
    if input.state.is_too_deep() {
        return refuse(Wrong::TooDeep, here(input));
    }
    let found = read(input);
    input.state.brackets -= 1;
    found
}

fn list(input: &mut Input<'_>) -> Read<Tree> {
    let from = here(input);
    let all = deeper(input, |input| separated(input, "]", value))?;
    Tree::new(from, here(input), Kind::List(all))
}

/// The arguments of a name.
fn in_brackets(input: &mut Input<'_>) -> Read<Vec<Tree>> {
    deeper(input, |input| separated(input, ")", argument))
}

/// From the opening to the closing bracket.
fn separated(
    input: &mut Input<'_>,
    end: &str,
    read: fn(&mut Input<'_>) -> Read<Tree>,
) -> Read<Vec<Tree>> {
    let from = here(input);
    input.next_slice(1);
    let mut all = Vec::new();
    skip(input);
    while !rest(input).starts_with(end) {
        all.push(read(input)?);
        if !takes(input, ",") && !rest(input).starts_with(end) {
            return Err(open_bracket(input, from));
        }
    }
    input.next_slice(1);
    Ok(all)
}

/// A value or a lambda.
fn argument(input: &mut Input<'_>) -> Read<Tree> {
    skip(input);
    let (from, start) = (here(input), input.checkpoint());
    if let Some(names) = parameters(input) {
        let body = block(input)?;
        return Tree::new(from, body.to, Kind::Lambda(names, Box::new(body)));
    }
    input.reset(&start);
    value(input)
}

/// The names before an arrow, and the arrow.
fn parameters(input: &mut Input<'_>) -> Option<Vec<String>> {
    let mut names = Vec::new();
    if takes(input, "(") {
        loop {
            names.push(name(input)?.to_owned());
            if takes(input, ")") {
                break;
            }
            if !takes(input, ",") {
                return None;
            }
        }
    } else {
        names.push(name(input)?.to_owned());
    }
    takes(input, "->").then_some(names)
}

impl Tree {
    /// The part after the `let`s at the beginning. A `let` in brackets belongs to it.
    pub(super) fn body(&self) -> &Self {
        match &self.kind {
            Kind::Let(_, two) if self.at == self.from => two[1].body(),
            _ => self,
        }
    }

    /// The terms of a sum with their weights and ranges of bytes. A let in brackets is one term.
    pub(super) fn add_terms(&self, weight: f64, terms: &mut Vec<(f64, usize, usize)>) {
        match &self.kind {
            Kind::Negative(one) => one.add_terms(-weight, terms),
            Kind::Sum(all) => {
                all.iter().for_each(|(less, term)| {
                    term.add_terms(if *less { -weight } else { weight }, terms);
                });
            }
            Kind::Two(Operator::Times, two) => match [&two[0].kind, &two[1].kind] {
                [Kind::Number(number), _] => two[1].add_terms(weight * number, terms),
                [_, Kind::Number(number)] => two[0].add_terms(weight * number, terms),
                _ => terms.push((weight, self.from, self.to)),
            },
            _ => terms.push((weight, self.from, self.to)),
        }
    }
}
