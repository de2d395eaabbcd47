# SPDX-License-Identifier: Apache-2.0
#
# Synthesises the core out of context, implements it and writes reports; without a project, or makes a project.
#
#   vivado -mode batch -source vivado/build.tcl [-tclargs OPTION...]
#
#   -part PART        instead of the part in settings.tcl
#   -period NS        instead of the clock period in settings.tcl
#   -until STAGE      synth: synthesis alone; route (default): placed and routed
#   -output DIR       for reports and checkpoints; default: the folder `reports` beside this script
#   -power            a power report too
#   -project DIR      instead of all this: a project in DIR with the core, its clock and its simulation, to be opened
#                     and run; -until, -output and -power say nothing about it
#
# Exit 0: built, 2: a wrong option, 3: a missing source, or a step that failed.

proc stop {code sentence} {
  puts stderr "build.tcl: $sentence"
  exit $code
}

# A step of the flow; its error ends the script with one sentence.
proc step {what args} {
  if {[catch {uplevel #0 $args} message]} {
    stop 3 "$what failed: $message"
  }
}

# Timing and utilisation as they are after a stage.
proc write_reports {stage output} {
  step "the timing report" report_timing_summary -file [file join $output $stage.timing.rpt]
  step "the utilisation report" report_utilization -file [file join $output $stage.utilization.rpt]
  step "the report by instance" report_utilization -hierarchical -hierarchical_depth 8 \
    -file [file join $output $stage.hierarchy.rpt]
  step "the checkpoint" write_checkpoint -force [file join $output $stage.dcp]
}

# The library of a source in VHDL, empty for the usual one.
proc library_of {source} {
  if {[info exists ::libraries] && [dict exists $::libraries $source]} { return [dict get $::libraries $source] }
  return {}
}

# The command that reads a source, with its options.
proc reader {source} {
  switch [string tolower [file extension $source]] {
    .vhd - .vhdl {
      set library [library_of $source]
      return [list read_vhdl {*}$::vhdl {*}[expr {$library eq {} ? {} : [list -library $library]}]]
    }
    .v           { return read_verilog }
    default      { return {read_verilog -sv} }
  }
}

# The constraint of the clock, or of all paths where there is none, as a line of Tcl.
proc constraint {clock period} {
  if {$clock eq {}} {
    return "set_max_delay $period -from \[all_inputs\] -to \[all_outputs\]"
  }
  return "create_clock -name clock -period $period \[get_ports {$clock}\]"
}

# The files of the export with these names.
proc here {names} {
  lmap name $names {file join $::root $name}
}

# A project with a design and, if its testbench is named, a simulation. Nothing is built.
proc make_project {folder xdc} {
  step "making the project" create_project -part $::part $::top $folder
  step "adding the sources" add_files -norecurse [here $::sources]
  foreach source $::sources {
    if {[string tolower [file extension $source]] in {.vhd .vhdl} && $::vhdl ne {}} {
      step "naming the language" set_property file_type {VHDL 2008} [get_files [here [list $source]]]
    }
    if {[set library [library_of $source]] ne {}} {
      step "naming the library" set_property library $library [get_files [here [list $source]]]
    }
  }
  set design [get_filesets sources_1]
  step "naming the top" set_property top $::top $design
  # One call for all: a second one would replace the first.
  if {$::generics ne {}} { step "setting the parameters" set_property generic $::generics $design }
  if {[info exists ::defines]} { step "setting the macros" set_property verilog_define $::defines $design }
  if {$::include ne {}} { step "setting the folders" set_property include_dirs [here $::include] $design }
  step "adding the clock" add_files -fileset constrs_1 -norecurse [list $xdc]
  step "leaving out the pads" set_property -name {STEPS.SYNTH_DESIGN.ARGS.MORE OPTIONS} -value {-mode out_of_context} \
    -objects [get_runs synth_1]
  if {$::bench eq {}} {
    return
  }
  set simulation [get_filesets sim_1]
  step "adding the testbench" add_files -fileset sim_1 -norecurse [here $::bench]
  step "naming the testbench" set_property top $::testbench $simulation
  step "setting its parameters" set_property generic $::bench_generics $simulation
  if {[info exists ::defines]} { step "setting its macros" set_property verilog_define $::defines $simulation }
  if {$::include ne {}} { step "setting its folders" set_property include_dirs [here $::include] $simulation }
  step "setting the time unit" set_property -name xsim.elaborate.xelab.more_options -value {-timescale 1ns/1ns} \
    -objects $simulation
  set arguments {}
  foreach plusarg $::plusargs {
    # A simulation runs in a folder of the project.
    if {[string match folder=* $plusarg]} { set plusarg folder=[file join $::root [string range $plusarg 7 end]] }
    append arguments " -testplusarg \"$plusarg\""
  }
  step "setting its arguments" set_property -name xsim.simulate.xsim.more_options -value [string trim $arguments] \
    -objects $simulation
  step "running it to the end" set_property -name xsim.simulate.runtime -value all -objects $simulation
}

set here [file dirname [file normalize [info script]]]
set root [file dirname $here]
set settings [file join $here settings.tcl]
if {![file isfile $settings]} {
  stop 3 "$settings is missing"
}
source $settings

set output [file join $here reports]
set until route
set power 0
set project {}
while {[llength $argv] > 0} {
  set argv [lassign $argv option]
  if {$option eq "-power"} {
    set power 1
  } elseif {$option ni {-part -period -until -output -project}} {
    stop 2 "there is no option $option"
  } elseif {[llength $argv] == 0} {
    stop 2 "$option needs a value"
  } else {
    set argv [lassign $argv [string range $option 1 end]]
  }
}
if {$until ni {synth route}} {
  stop 2 "-until is $until and should be synth or route"
}
if {![string is double -strict $period] || $period <= 0} {
  stop 2 "-period is $period and should be a time in nanoseconds"
}
set output [file normalize $output]
foreach source [concat $sources $bench] {
  if {![file isfile [file join $root $source]]} {
    stop 3 "[file join $root $source] is missing"
  }
}
if {$project ne {}} {
  set output [file normalize $project]
  if {[file exists $output]} {
    stop 3 "$output is there already, and no project is made over it"
  }
}

set xdc [file join $output clock.xdc]
if {[catch {
  file mkdir $output
  set stream [open $xdc w]
  puts $stream [constraint $clock $period]
  close $stream
} message]} {
  stop 3 "$output cannot be written: $message"
}

if {$project ne {}} {
  make_project $output $xdc
  puts "build.tcl: the project is in $output"
  exit 0
}

step "making the project" create_project -in_memory -part $part
foreach source $sources {
  step "reading $source" {*}[reader $source] [file join $root $source]
}
step "reading the clock" read_xdc -mode out_of_context $xdc

set overrides {}
foreach generic $generics {
  lappend overrides -generic $generic
}
set folders [expr {$include eq {} ? {} : [list -include_dirs [here $include]]}]
set macros {}
if {[info exists defines]} {
  foreach define $defines {
    lappend macros -verilog_define $define
  }
}
step "synthesis" synth_design -top $top -part $part -mode out_of_context \
  {*}$folders {*}$macros {*}$overrides
write_reports synth $output

if {$until eq "route"} {
  step "optimisation" opt_design
  step "placement" place_design
  step "physical optimisation" phys_opt_design
  step "routing" route_design
  write_reports route $output
}
if {$power} {
  step "the power report" report_power -file [file join $output power.rpt]
}
puts "build.tcl: reports are in $output"
exit 0
