//! The commands as a person or a script meets them.

use std::io::Write;
use std::process::{Command, Output, Stdio};

use serde_json::Value;

fn woodstock(arguments: &[&str]) -> Output {
    woodstock_reading(arguments, "")
}

/// Runs the program with `input` on its standard input.
fn woodstock_reading(arguments: &[&str], input: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_woodstock"))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program was built");
    let mut stdin = child.stdin.take().expect("it is piped");
    // A program that ends before it has read everything is no fault of this test.
    _ = stdin.write_all(input.as_bytes());
    drop(stdin);
    child.wait_with_output().expect("it ends")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("it prints text")
}

fn json_lines(output: &Output) -> Vec<Value> {
    text(&output.stdout)
        .lines()
        .map(|line| serde_json::from_str(line).expect("each line is JSON"))
        .collect()
}

#[test]
fn check_of_an_embedded_game_finds_nothing() {
    let output = woodstock(&["check", "tic-tac-toe"]);
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(text(&output.stdout), "tic-tac-toe: ok (31 rules and facts, roles x, o)\n");
}

#[test]
fn check_shows_the_place_the_code_and_the_cure() {
    let output = woodstock_reading(&["check", "-"], "(role x)\n(<= (legal ?p noop) (not (p ?p)))");
    assert_eq!(output.status.code(), Some(1));
    let shown = text(&output.stdout);
    for part in
        ["error[unsafe-variable]", "standard input:2:12", "^^", "help: add the condition (role ?p)"]
    {
        assert!(shown.contains(part), "{part} is missing in\n{shown}");
    }
    assert!(shown.ends_with("-: not playable, 2 errors, 1 warning\n"), "{shown}");
}

#[test]
fn check_json_has_the_keys_that_scripts_read() {
    let sheet = "(role x)\n(<= (legal ?p noop) (not (p ?p)))";
    let output = woodstock_reading(&["check", "--json", "-", "monty-hall", "no-such-file"], sheet);
    assert_eq!(output.status.code(), Some(1));
    let lines = json_lines(&output);
    assert_eq!(lines.len(), 3);
    assert_eq!((&lines[0]["file"], &lines[0]["ok"]), (&Value::from("-"), &Value::from(false)));
    let error = &lines[0]["errors"][0];
    assert_eq!(error["code"], "unsafe-variable");
    assert_eq!((error["line"].as_u64(), error["column"].as_u64()), (Some(2), Some(12)));
    assert!(error["message"].is_string() && error["help"].is_string());
    assert_eq!(lines[0]["warnings"][0]["code"], "never-produced");
    assert_eq!(lines[1]["ok"], true);
    assert_eq!(lines[1]["errors"], Value::Array(Vec::new()));
    assert_eq!(lines[2]["errors"][0]["code"], "cannot-read");
}

#[test]
fn check_quiet_leaves_out_warnings() {
    let sheet = "(role x) (legal x a) (goal x 0) terminal (unused fact)";
    let loud = text(&woodstock_reading(&["check", "-"], sheet).stdout);
    let quiet = text(&woodstock_reading(&["check", "--quiet", "-"], sheet).stdout);
    assert!(loud.contains("never-used") && !quiet.contains("never-used"));
    assert!(quiet.contains("ok, with 1 warning"), "{quiet}");
}

#[test]
fn a_misspelled_game_is_recognised() {
    let output = woodstock(&["check", "tictactoe"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).contains("did you mean `tic-tac-toe`?"));
}

#[test]
fn wrong_usage_has_its_own_status() {
    assert_eq!(woodstock(&["check"]).status.code(), Some(2));
    assert_eq!(woodstock(&["no-such-command"]).status.code(), Some(2));
}

#[test]
fn every_command_explains_itself_with_an_example() {
    for command in ["check", "fmt", "games", "perft", "playouts"] {
        let output = woodstock(&[command, "--help"]);
        assert_eq!(output.status.code(), Some(0));
        let help = text(&output.stdout);
        let (_, examples) = help.split_once("Example").expect("there is an example");
        assert!(examples.contains(&format!("woodstock {command}")), "{help}");
    }
}

#[test]
fn games_are_listed_for_people_and_for_scripts() {
    let shown = text(&woodstock(&["games"]).stdout);
    let lines = json_lines(&woodstock(&["games", "--json"]));
    assert_eq!(lines.len(), games::all().len());
    for line in &lines {
        let name = line["name"].as_str().expect("a name");
        assert!(shown.contains(name), "{name} is missing in\n{shown}");
        assert!(line["title"].is_string() && line["class"].is_string());
        assert!(!line["roles"].as_array().expect("a list").is_empty());
    }
}

#[test]
fn one_game_is_explained_and_an_unknown_one_is_an_error() {
    let shown = text(&woodstock(&["games", "backgammon"]).stdout);
    assert!(shown.contains("hit and goes to the bar"), "{shown}");
    let output = woodstock(&["games", "bakgammon"]);
    assert_ne!(output.status.code(), Some(0));
    assert!(text(&output.stderr).contains("did you mean `backgammon`?"));
}

#[test]
fn perft_counts_with_either_machine() {
    for more in [&[][..], &["--interpret"]] {
        let arguments = [&["perft", "--json", "tic-tac-toe", "3"], more].concat();
        let line = &json_lines(&woodstock(&arguments))[0];
        let counts = (line["depth"].as_u64(), line["nodes"].as_u64(), line["terminals"].as_u64());
        assert_eq!(counts, (Some(3), Some(504), Some(0)));
        assert!(line["seconds"].is_number());
    }
}

#[test]
fn playouts_report_speed_length_and_goals() {
    let line =
        &json_lines(&woodstock(&["playouts", "--json", "monty-hall", "--seconds", "0.1"]))[0];
    for key in ["playouts", "states", "playouts_per_second", "states_per_second"] {
        assert!(line[key].as_f64().is_some_and(|value| value > 0.0), "{key}");
    }
    assert_eq!(line["mean_length"].as_f64(), Some(3.0));
    let candidate = line["mean_goals"][0].as_f64().expect("a number");
    assert!((40.0..60.0).contains(&candidate), "a random candidate wins half: {candidate}");
}

#[test]
fn an_unplayable_game_is_named_with_its_state_and_role() {
    let sheet = "(role x) (init (lamp off)) (<= (legal x press) (true (lamp off)))
                 (<= (next (lamp on)) (does x press)) (<= terminal (true (lamp broken))) (goal x 0)";
    for arguments in [&["playouts", "-"][..], &["perft", "-", "3"]] {
        let output = woodstock_reading(arguments, sheet);
        assert_eq!(output.status.code(), Some(1));
        let said = text(&output.stderr);
        assert!(said.contains("x has no legal move in the state ((lamp on))"), "{said}");
    }
}

#[test]
fn fmt_prints_canonical_rules_in_either_form() {
    let sheet = "(<=(terminal)( not  (open) )) ; the end";
    let kif = text(&woodstock_reading(&["fmt", "-"], sheet).stdout);
    assert_eq!(kif, "(<= terminal\n    (not open)) ; the end\n");
    let infix = text(&woodstock_reading(&["fmt", "--to", "infix", "-"], sheet).stdout);
    assert_eq!(infix, "terminal :-\n    not open. % the end\n");
    let back = text(&woodstock_reading(&["fmt", "--to", "kif", "-"], &infix).stdout);
    assert_eq!(back, kif);
}

#[test]
fn fmt_json_has_file_form_and_text() {
    let lines = json_lines(&woodstock(&["fmt", "--json", "--to", "infix", "monty-hall"]));
    assert_eq!((&lines[0]["file"], &lines[0]["form"]), (&"monty-hall".into(), &"infix".into()));
    assert!(lines[0]["text"].as_str().expect("text").contains("role(candidate)."));
}

#[test]
fn fmt_prints_nothing_of_a_text_that_it_cannot_read() {
    let output = woodstock_reading(&["fmt", "-"], "(role x) (init (cell 1");
    assert_eq!(output.status.code(), Some(1));
    assert!(output.stdout.is_empty());
    assert!(text(&output.stderr).contains("error[unclosed]"));
}

/// A coin that falls on heads more often is to be guessed.
const COIN: &str = r#"{
    "variables": [
        {"name": "guess", "values": ["heads", "tails"]},
        {"name": "coin", "values": ["heads", "tails"], "chance": {"probabilities": [0.6, 0.4]}}
    ],
    "utilities": [{"scope": ["guess", "coin"],
        "tuples": [[["heads", "heads"], [1]], [["tails", "tails"], [1]]]}],
    "thresholds": [0.5]
}"#;

#[test]
fn solve_scsp_finds_the_best_policy() {
    let output = woodstock_reading(&["solve-scsp", "-", "--policy"], COIN);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let shown = text(&output.stdout);
    let expected = [
        "satisfiable: the best policy is worth [0.6]",
        "guess = heads\nif coin is heads (0.600):\n  worth [1.0]\nif coin is tails (0.400):",
    ];
    for part in expected {
        assert!(shown.contains(part), "{part} is missing in\n{shown}");
    }
}

#[test]
fn solve_scsp_counts_feasible_decisions() {
    let output = woodstock_reading(&["solve-scsp", "-", "--count"], COIN);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert!(text(&output.stdout).starts_with("2 feasible decisions\n"));
    // More solutions than there is time for.
    let variables: Vec<String> =
        (0..60).map(|n| format!(r#"{{"name": "v{n}", "values": [0, 1]}}"#)).collect();
    let many = format!(r#"{{"variables": [{}]}}"#, variables.join(","));
    let arguments = ["solve-scsp", "-", "--count", "--seconds", "0.2", "--json"];
    let output = woodstock_reading(&arguments, &many);
    assert_eq!(output.status.code(), Some(3));
    let [counted] = &json_lines(&output)[..] else { panic!("one object") };
    assert!(counted["policies"].as_u64().is_some_and(|n| n > 0));
    assert_eq!(counted["satisfiable"], true);
}

#[test]
fn solve_scsp_refuses_to_count_over_several_stages() {
    let stages = COIN.replace(
        r#"{"name": "guess", "values": ["heads", "tails"]},"#,
        r#"{"name": "guess", "values": ["heads", "tails"]},
           {"name": "rain", "values": [0, 1], "chance": "uniform"},
           {"name": "again", "values": [0, 1]},"#,
    );
    let output = woodstock_reading(&["solve-scsp", "-", "--count"], &stages);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).contains("the network has 2 stages"));
}

/// What is written as XCSP3 is solved as what was read.
#[test]
fn solve_scsp_reads_what_it_writes() {
    let path = std::env::temp_dir().join(format!("woodstock-coin-{}.xml", std::process::id()));
    let path = path.to_str().expect("the folder has a usual name");
    let written = woodstock_reading(&["solve-scsp", "-", "--write", path], COIN);
    assert_eq!(written.status.code(), Some(0), "{}", text(&written.stderr));
    let output = woodstock(&["solve-scsp", path, "--json"]);
    std::fs::remove_file(path).expect("it was written");
    let [solved] = &json_lines(&output)[..] else { panic!("one object") };
    assert_eq!(solved["value"], serde_json::json!([0.6]));
}

#[test]
fn solve_scsp_json_has_the_keys_that_scripts_read() {
    let arguments = ["solve-scsp", "-", "--json", "--thresholds", "0.7"];
    let output = woodstock_reading(&arguments, COIN);
    assert_eq!(output.status.code(), Some(0));
    let [solved] = &json_lines(&output)[..] else { panic!("one object") };
    assert_eq!(solved["satisfiable"], false);
    assert_eq!((&solved["value"], &solved["policies"]), (&Value::Null, &Value::Null));
    assert!(solved["nodes"].is_u64() && solved["seconds"].is_f64());
}

#[test]
fn solve_scsp_says_what_is_wrong_with_a_file() {
    let cases = [
        ("{", "EOF while parsing an object at line 1 column 1"),
        (r#"{"variables": [{"name": "x", "values": []}]}"#, "`x` has no value"),
        (
            r#"{"variables": [{"name": "y", "values": [1, 2], "chance": {"probabilities": [1, 1]}}]}"#,
            "the probabilities of `y` sum to 2, not to 1",
        ),
        (r#"{"variables": [], "constraint": []}"#, "unknown field `constraint`"),
        ("<instance>", "line 1, column 11: the text ends before </instance>"),
    ];
    for (input, problem) in cases {
        let output = woodstock_reading(&["solve-scsp", "-"], input);
        assert_eq!(output.status.code(), Some(1));
        assert!(text(&output.stderr).contains(problem), "{}", text(&output.stderr));
    }
}

#[test]
fn scsp_shows_the_network_of_a_game() {
    let output = woodstock(&["scsp", "hidden-matching-pennies"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let shown = text(&output.stdout);
    assert!(
        shown.starts_with("11 variables, 1 of them stochastic, with up to 5 values"),
        "{shown}"
    );
    assert!(shown.contains("coins_t         {unset unset, heads heads"), "{shown}");
    assert!(shown.contains("more lines: --lines 0 shows all"));
    let all = woodstock(&["scsp", "hidden-matching-pennies", "--lines", "0"]);
    assert!(text(&all.stdout).contains("probabilities of does(random)_t given control_t"));
    let told = "what is seen tells the probabilities of coins_t+1 given percept_t";
    assert!(text(&all.stdout).contains(told), "{}", text(&all.stdout));
    let seen = woodstock(&["scsp", "hidden-matching-pennies", "--all-seen"]);
    assert!(!text(&seen.stdout).contains("percept_t"));
}

#[test]
fn scsp_json_has_the_keys_that_scripts_read() {
    for encoding in ["atoms", "fluents"] {
        let arguments = ["scsp", "tic-tac-toe", "--stages", "2", "--encoding", encoding, "--json"];
        let [size] = &json_lines(&woodstock(&arguments))[..] else { panic!("one object") };
        for key in ["vars", "stochastic", "max_domain", "constraints", "tuples"] {
            assert!(size[key].is_u64(), "{key} in {size}");
        }
        assert!(size["seconds"].is_f64());
    }
    let [info] = &json_lines(&woodstock(&["info", "tic-tac-toe", "--json"]))[..] else {
        panic!("one object")
    };
    for key in ["vars", "max_domain", "constraints", "seconds"] {
        assert!(info["scsp"][key].is_number(), "{key} in {info}");
    }
}

/// What is written as XCSP3 has the value of the game.
#[test]
fn scsp_writes_a_network_that_can_be_solved() {
    let path = std::env::temp_dir().join(format!("woodstock-game-{}.xml", std::process::id()));
    let path = path.to_str().expect("the folder has a usual name");
    let arguments = ["scsp", "hidden-matching-pennies", "--stages", "2", "--xcsp3", path];
    let written = woodstock(&arguments);
    assert_eq!(written.status.code(), Some(0), "{}", text(&written.stderr));
    let output = woodstock(&["solve-scsp", path, "--json"]);
    std::fs::remove_file(path).expect("it was written");
    let [solved] = &json_lines(&output)[..] else { panic!("one object") };
    assert_eq!(solved["value"], serde_json::json!([0.75]));
}

#[test]
fn match_lets_players_play_and_says_what_came_of_it() {
    let arguments = ["match", "tic-tac-toe", "--player", "uct", "--player", "random"];
    let arguments = [&arguments[..], &["--matches", "4", "--nodes", "2000", "--json"]].concat();
    let lines = json_lines(&woodstock(&arguments));
    let [matches @ .., summary] = &lines[..] else { panic!("a line a match, and one more") };
    assert_eq!(matches.len(), 4);
    for (number, line) in matches.iter().enumerate() {
        let seats = if number % 2 == 0 { ["uct", "random"] } else { ["random", "uct"] };
        assert_eq!(line["players"], serde_json::json!(seats));
        assert_eq!(line["errors"], serde_json::json!([]));
        assert_eq!(line["game"], "tic-tac-toe");
        assert!(line["goals"].is_array() && line["moves"].is_u64() && line["seconds"].is_f64());
    }
    assert_eq!(summary["matches"], 4);
    let score = summary["score"].as_array().expect("by player");
    let sum: f64 = score.iter().filter_map(Value::as_f64).sum();
    assert!((sum - 1.0).abs() < 1e-9 && score[0].as_f64() > Some(0.5), "{summary}");
    assert_eq!(summary["ci95"].as_array().map(Vec::len), Some(2));
}

/// With `--explain` every move comes with what its player thought; what is proved at the end is the result.
#[test]
fn match_explains_what_players_think() {
    let players = ["match", "tic-tac-toe", "--player", "mac-ucb", "--player", "uct"];
    let arguments = [&players[..], &["--nodes", "1000", "--explain"]].concat();
    let lines = json_lines(&woodstock(&[&arguments[..], &["--json"]].concat()));
    let thoughts = lines[0]["thoughts"].as_array().expect("there are some");
    assert_eq!(thoughts.len(), 8, "the last of the nine moves is no choice");
    let of_mac = thoughts.iter().find(|one| one["role"] == "x").expect("it is asked first");
    assert!(of_mac["stages"].as_u64() > Some(10), "{of_mac}");
    let best = &of_mac["arms"][0];
    assert_eq!(best["mean"], of_mac["theta"]);
    assert!(best["confidence"].is_f64() && best["count"].is_u64() && best["exact"].is_boolean());
    let last = &thoughts[thoughts.len() - 1];
    assert_eq!(last["bounds"], serde_json::json!([50.0, 50.0]));
    let told = text(&woodstock(&arguments).stdout).to_owned();
    assert!(told.contains("stages solved") && told.contains("proved: at least 50, at most 50"));
}

/// A tournament writes its matches down, and goes on where it was.
#[test]
fn tournament_goes_on_where_it_was() {
    let folder = std::env::temp_dir().join(format!("woodstock-tournament-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("it can be made");
    let file = folder.join("config.toml");
    let plan = "title = 'A small one'\ngames = ['tic-tac-toe', 'connect-four']\nmatches = 2\nnodes = 200\n\
                [[column]]\nplayers = ['uct', 'random']\npublished = { tic-tac-toe = 90.0 }\n\
                [[column]]\nplayers = ['random', 'legal']\n";
    std::fs::write(&file, plan).expect("it can be written");
    let path = file.to_str().expect("the folder has a usual name");
    let cells = json_lines(&woodstock(&["tournament", path, "--json"]));
    assert_eq!(cells.len(), 3, "the first column is about one game only");
    assert_eq!((&cells[0]["game"], &cells[0]["matches"]), (&"tic-tac-toe".into(), &2.into()));
    assert_eq!(cells[0]["published"], 0.9);
    let written = || std::fs::read_to_string(folder.join("results.jsonl")).expect("it is there");
    let before = written();
    assert_eq!(before.lines().count(), 6);
    let more = ["tournament", path, "--json", "--matches", "4", "--game", "tic-tac-toe"];
    let cells = json_lines(&woodstock(&more));
    assert_eq!((cells.len(), &cells[1]["matches"]), (2, &4.into()));
    let after = written();
    assert!(after.starts_with(&before) && after.lines().count() == 10, "{after}");
    let table = woodstock(&["tournament", path, "--no-play"]);
    assert!(text(&table.stdout).contains("| tic-tac-toe |"), "{}", text(&table.stdout));
    assert_eq!(written(), after);
    std::fs::write(&file, "title = 3").expect("it can be written");
    let wrong = woodstock(&["tournament", path]);
    std::fs::remove_dir_all(&folder).expect("it was made");
    assert_eq!(wrong.status.code(), Some(1));
    assert!(text(&wrong.stderr).contains("config.toml"), "{}", text(&wrong.stderr));
}

/// What a match has written is what the rules say; what was changed by hand is not.
#[test]
fn replay_compares_records_with_the_rules() {
    let folder = std::env::temp_dir().join(format!("woodstock-records-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("it can be made");
    let path = folder.to_str().expect("the folder has a usual name");
    let players = ["--player", "random", "--player", "legal", "--nodes", "1", "--records", path];
    let played = woodstock(&[&["match", "tic-tac-toe"], &players[..]].concat());
    assert_eq!(played.status.code(), Some(0), "{}", text(&played.stderr));
    let file = folder.join("tic-tac-toe-1-1.json");
    let name = file.to_str().expect("the file has a usual name");
    let arguments = ["replay", name, "--json"];
    let [replayed] = &json_lines(&woodstock(&arguments))[..] else { panic!("one object") };
    assert_eq!((&replayed["ok"], &replayed["difference"]), (&Value::Bool(true), &Value::Null));
    let record = std::fs::read_to_string(&file).expect("it was written");
    let changed = record.replacen("control x", "control o", 1);
    assert_ne!(changed, record);
    std::fs::write(&file, changed).expect("it can be written");
    let output = woodstock(&arguments);
    std::fs::remove_dir_all(&folder).expect("it was made");
    assert_eq!(output.status.code(), Some(1));
    let [replayed] = &json_lines(&output)[..] else { panic!("one object") };
    assert_eq!(replayed["difference"]["step"], 0);
    assert_eq!(replayed["difference"]["what"], "state");
}

#[test]
fn match_says_what_is_wrong_with_its_players() {
    let output = woodstock(&["match", "tic-tac-toe", "--player", "utc"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("one named `uct`"), "{}", text(&output.stderr));
    let output = woodstock(&["match", "tic-tac-toe", "--player", "uct"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).contains("1 players for a game that needs 2"));
}

#[test]
fn solve_finds_the_values_of_a_game() {
    let output = woodstock(&["solve", "tic-tac-toe"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let shown = text(&output.stdout);
    assert!(shown.contains("x: 50, for example by (mark") && shown.contains("o: 50"), "{shown}");
    let arguments = ["solve", "matching-pennies", "--concept", "maximax", "--json"];
    let [solved] = &json_lines(&woodstock(&arguments))[..] else { panic!("one object") };
    assert_eq!(solved["values"], serde_json::json!([50.0, 50.0, null]));
    assert!(solved["nodes"].is_u64() && solved["seconds"].is_f64());
    assert_eq!(solved["best"].as_array().map(Vec::len), Some(3));
}

/// Players know what they see, and no more.
#[test]
fn solve_tells_what_is_seen_from_what_is_not() {
    let values = |arguments: &[&str]| {
        let arguments = [&["solve", "monty-hall", "--json"], arguments].concat();
        let [solved] = &json_lines(&woodstock(&arguments))[..] else { panic!("one object") };
        solved["values"][0].as_f64().expect("it is solved")
    };
    assert!((values(&[]) - 200.0 / 3.0).abs() < 1e-6);
    assert!((values(&["--stages", "3"]) - 200.0 / 3.0).abs() < 1e-6);
    assert!((values(&["--all-seen"]) - 100.0).abs() < 1e-6);
    assert!((values(&["--all-seen", "--stages", "3"]) - 100.0).abs() < 1e-6);
}

#[test]
fn solve_says_what_it_has_proved_when_time_is_up() {
    let output = woodstock(&["solve", "breakthrough", "--seconds", "0.1", "--json"]);
    assert_eq!(output.status.code(), Some(3));
    let [solved] = &json_lines(&output)[..] else { panic!("one object") };
    assert_eq!(solved["values"], serde_json::json!([null, null]));
    assert_eq!(solved["bounds"], serde_json::json!([[0.0, 100.0], [0.0, 100.0]]));
}

/// What a series of matches ends with is known of every match that was begun.
#[test]
fn all_matches_of_a_series_have_whole_records() {
    let folder = std::env::temp_dir().join(format!("woodstock-series-{}", std::process::id()));
    let path = folder.to_str().expect("the folder has a usual name");
    for jobs in ["1", "2"] {
        let players = ["--player", "uct", "--player", "random", "--nodes", "20"];
        let manner = ["--until-significant", "--jobs", jobs, "--json", "--records", path];
        let played = woodstock(&[&["match", "tic-tac-toe"], &players[..], &manner[..]].concat());
        assert_eq!(played.status.code(), Some(0), "{}", text(&played.stderr));
        let lines = json_lines(&played);
        let summary = lines.last().expect("there is a summary");
        let n_matches = summary["matches"].as_u64().expect("it is a number") as usize;
        let files = std::fs::read_dir(&folder).expect("it was made");
        let mut n_records = 0;
        for file in files {
            let record = std::fs::read_to_string(file.expect("it is there").path());
            let record: Value = serde_json::from_str(&record.expect("it is text")).expect("JSON");
            assert_eq!(record["isCompleted"], true);
            n_records += 1;
        }
        // One job begins no match that is not wanted any more; of several, some may be ahead.
        let is_ahead = jobs != "1" && n_records > n_matches;
        assert!(n_records == n_matches || is_ahead, "{n_records} of {n_matches}");
        std::fs::remove_dir_all(&folder).expect("it was made");
    }
}

#[test]
fn players_elsewhere_play_one_match_after_the_other() {
    let players = ["--player", "http://127.0.0.1:1", "--player", "legal", "--jobs", "2"];
    let output = woodstock(&[&["match", "tic-tac-toe"], &players[..]].concat());
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).contains("leave out --jobs"), "{}", text(&output.stderr));
}
